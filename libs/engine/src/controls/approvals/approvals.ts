// What code of the host calls. It checks what an untyped caller passes; `approval-service.ts` does the rest.
import {
  RESOLUTIONS,
  VERDICTS,
  type Approval,
  type ApprovalVerdict,
  type ApprovalVote,
  type Resolution,
} from '#contracts/approvals/approvals.js';
import type { ApprovalStore, CallFilter, PendingRequest } from '#contracts/stores/approvals.store.js';
import { approvalLink } from '#contracts/events/event-sink.js';
import { isActorId } from '#contracts/common/comparison.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { Page } from '#contracts/common/page.js';
import { takeCodePoints } from '#contracts/common/text.js';
import { approvalErrors } from './approval-errors.js';
import type { ApprovalService } from './approval-service.js';

const MAX_REASON_LENGTH = 1000;

interface Authored {
  /** The id of the person who decides. It is compared with the requester of the call. */
  readonly actor: string;
  readonly reason?: string | null;
}

/** The decision of an operator about a pending call. */
export interface ApprovalDecision extends Authored {
  readonly verdict: ApprovalVerdict;
}

/** What an operator found out about a call whose outcome was unknown. */
export interface ApprovalResolution extends Authored {
  readonly status: Resolution;
  readonly reason: string;
}

/** Other arguments that an operator proposes for a pending call. */
export interface ApprovalProposal extends Authored {
  /** The complete arguments, for the same tool. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly reason: string;
}

type Propose = (
  id: number,
  proposal: { readonly arguments: unknown; readonly actorId: string; readonly reason: string },
) => Promise<Approval>;

/**
 * Decides pending calls from code: the same checks, evidence and events as the routes, with an actor instead of a
 * token. The caller authenticates the actor. Errors are `GuardrailsError`s with the codes of the routes.
 */
export class Approvals {
  constructor(
    private readonly store: ApprovalStore,
    private readonly service: ApprovalService,
    private readonly proposeCall: Propose,
    /** `events.panel_url`. */
    private readonly panelUrl: string | null,
  ) {}

  /** Pending and not expired, newest first by default. */
  async pending(page: PendingRequest = { limit: 200 }, filter: CallFilter = {}): Promise<Page<Approval>> {
    const found = await this.store.pending(page, filter);
    return { ...found, entries: found.entries.map((approval) => this.withWarnings(approval)) };
  }

  async find(approvalId: number): Promise<Approval | null> {
    if (!isId(approvalId)) return null;
    const approval = await this.store.find(approvalId);
    return approval === null ? null : this.withWarnings(approval);
  }

  /**
   * Approves or rejects. The result is `pending` if more approvers are needed, and `executing` if the tool takes
   * longer than ten seconds.
   */
  async decide(approvalId: number, { verdict, actor, reason = null }: ApprovalDecision): Promise<Approval> {
    assertOneOf('verdict', verdict, VERDICTS);
    if (reason !== null) assertReason(reason);
    assertId(approvalId);
    return this.service.decideById(approvalId, verdict, { actorId: actorOf(actor), reason });
  }

  /** Resolves an unknown outcome. */
  async resolve(approvalId: number, { status, actor, reason }: ApprovalResolution): Promise<Approval> {
    assertOneOf('status', status, RESOLUTIONS);
    assertRequiredReason(reason);
    assertId(approvalId);
    return this.service.resolve(approvalId, status, { actorId: actorOf(actor), reason });
  }

  /** Replaces a pending call by one with other arguments, which waits in its place. Returns the new approval. */
  async propose(approvalId: number, proposal: ApprovalProposal): Promise<Approval> {
    const { actor, reason, arguments: args } = proposal;
    assertRequiredReason(reason);
    assertId(approvalId);
    return this.proposeCall(approvalId, { arguments: args, actorId: actorOf(actor), reason });
  }

  /** The votes that count, of a call that needs several approvers. */
  votesOf(approval: Approval): readonly ApprovalVote[] {
    return this.service.votes.standingVotes(approval);
  }

  /** The panel page of the approval; `null` without `events.panel_url`. */
  linkTo(approvalId: number): string | null {
    return approvalLink(this.panelUrl, approvalId);
  }

  private withWarnings(approval: Approval): Approval {
    return { ...approval, warnings: this.service.rules.warningsOf(approval) };
  }
}

/** A store may refuse other numbers with another error, such as `NaN` from a route of the host. */
function isId(id: unknown) {
  return Number.isSafeInteger(id) && Number(id) > 0;
}

function assertId(id: unknown) {
  if (!isId(id)) throw approvalErrors.noApproval();
}

function actorOf(actor: unknown) {
  if (isActorId(actor)) return actor;
  throw new GuardrailsError(
    'actor_required',
    'A decision needs an actor. Pass the id of the authenticated person, without invisible characters.',
  );
}

function assertOneOf(field: string, value: string, choices: readonly string[]) {
  if (!choices.includes(value)) throw invalid(field, `must be one of ${choices.join(', ')}`);
}

/** An untyped host may pass anything. */
function assertReason(reason: unknown): asserts reason is string {
  if (typeof reason !== 'string') throw invalid('reason', 'must be a string');
  if (takeCodePoints(reason, MAX_REASON_LENGTH).cut)
    throw invalid('reason', `must have at most ${MAX_REASON_LENGTH} characters`);
}

function assertRequiredReason(reason: unknown) {
  assertReason(reason);
  if (reason.trim() === '') throw invalid('reason', 'must not be empty');
}

function invalid(field: string, reason: string) {
  return new GuardrailsError('invalid_body', 'Correct the members listed in fields.', {
    fields: { [field]: [reason] },
  });
}
