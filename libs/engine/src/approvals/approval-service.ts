import type { Approval, ApprovalVerdict, Resolution } from '#contracts/approvals.js';
import type { ApprovalStore, DecideCommand, DecideResult } from '#contracts/approvals.store.js';
import { GuardrailsError, isTransient } from '#contracts/errors.js';
import type { Tool } from '#contracts/firewall.js';
import type { ToolCatalog, CurrentSettings } from '../ports.js';
import type { Settings } from '#contracts/settings/settings.js';
import { scrubText } from '#contracts/text.js';
import { comparableId } from '../text/comparison.js';
import { withinTime } from '../time-limit.js';
import type { ApprovalChecks } from './approval-checks.js';
import { approvalErrors } from './approval-errors.js';
import { type ApprovalKeys, ApprovalTokens } from './approval-keys.js';
import type { ApprovalRunner } from './approval-runner.js';
import type { ApprovalTransitions } from './approval-transitions.js';

/** How long the request of an approver waits for the tool before it returns `executing`. */
const ANSWER_AFTER_MS = 10_000;

const CHANGED =
  'The record of this call was changed after it was parked, or hitl.token_secret was changed. The call will not run; reject it.';

interface DecisionAuthor {
  readonly actorId: string;
  readonly reason: string | null;
}

interface ResolutionAuthor {
  readonly actorId: string;
  readonly reason: string;
}

/** Approves, rejects and resolves parked calls. */
export class ApprovalService {
  constructor(
    private readonly store: ApprovalStore,
    private readonly steps: ApprovalTransitions,
    private readonly runner: ApprovalRunner,
    private readonly checks: ApprovalChecks,
    private readonly tools: ToolCatalog,
    /** `null` without `hitl.token_secret`: the bridge is not set up. */
    private readonly keys: ApprovalKeys | null,
    private readonly settings: CurrentSettings,
  ) {}

  get isSetUp(): boolean {
    return this.keys !== null;
  }

  /** The token for GET /approvals; `null` under `out_of_band`. */
  tokenOf(approval: Pick<Approval, 'reference'>): string | null {
    return this.keys?.tokens.derive(approval) ?? null;
  }

  /** Warnings for the approver, including that the stored call was changed and will not run. */
  warningsOf(approval: Approval): readonly string[] {
    if (approval.status !== 'pending' || this.keys === null) return approval.warnings;
    return this.checks.isAsParked(approval) ? approval.warnings : [CHANGED, ...approval.warnings];
  }

  async decide(
    token: string,
    verdict: ApprovalVerdict,
    { actorId, reason }: DecisionAuthor,
  ): Promise<Approval> {
    const waiting = await this.find(token);
    const by = scrubText(actorId);
    if (waiting.status === 'expired') throw approvalErrors.expired();
    if (waiting.status !== 'pending') return repeated(waiting, verdict, by);
    const refusal = verdict === 'approved' ? this.refusalOf(waiting, by, this.settings.current()) : null;
    // Expiry takes precedence over reasons that concern this approver.
    if (refusal !== null)
      throw (await this.steps.expire(waiting)) === null ? refusal : approvalErrors.expired();

    const seal = this.keys?.macs.ofDecision(waiting.reference, verdict, by) ?? '';
    const decideOrFindDecision = await this.decided(waiting.tokenHash, {
      verdict,
      actorId: by,
      reason,
      decisionMac: seal,
    });
    switch (decideOrFindDecision.kind) {
      case 'unknown':
        throw approvalErrors.unknown();
      case 'expired':
        throw approvalErrors.expired();
      case 'already_decided':
        return repeated(decideOrFindDecision.approval, verdict, by);
      case 'decided':
        return verdict === 'rejected'
          ? decideOrFindDecision.approval
          : this.resume(decideOrFindDecision.approval);
      default:
        return decideOrFindDecision satisfies never;
    }
  }

  /** Resolves an unknown outcome. The same resolution by the same actor returns the stored approval. */
  async resolve(
    id: number,
    resolution: Resolution,
    { actorId, reason }: ResolutionAuthor,
  ): Promise<Approval> {
    const by = scrubText(actorId);
    const resolved = await this.steps.resolve(id, { resolution, actorId: by, reason });
    const standing = resolved ?? (await this.store.find(id));
    if (standing === null) throw approvalErrors.noApproval();
    if (standing.resolvedBy === by && standing.status === resolution) return standing;
    switch (standing.status) {
      case 'pending':
      case 'approved':
      case 'executing':
        throw approvalErrors.notEnded(standing);
      case 'superseded':
        throw approvalErrors.superseded(standing);
      default:
        throw approvalErrors.notUnknown(standing);
    }
  }

  /** A caller that timed out behind a concurrent decision gets that decision. */
  private async decided(tokenHash: string, command: Omit<DecideCommand, 'evidence'>): Promise<DecideResult> {
    try {
      return await this.steps.decide(tokenHash, command);
    } catch (error) {
      const isLate = error instanceof GuardrailsError && error.code === 'query_timeout';
      const approval = isLate ? await this.store.findByTokenHash(tokenHash) : null;
      if (approval === null || approval.status === 'pending') throw error;
      return approval.status === 'expired'
        ? { kind: 'expired', approval, moved: false }
        : { kind: 'already_decided', approval };
    }
  }

  private async find(token: string): Promise<Approval> {
    const found = ApprovalTokens.looksLike(token)
      ? await this.store.findByTokenHash(ApprovalTokens.hash(token))
      : null;
    if (found === null || !ApprovalTokens.matches(token, found)) throw approvalErrors.unknown();
    return found;
  }

  private refusalOf(approval: Approval, actorId: string, settings: Settings): GuardrailsError | null {
    if (this.keys === null || settings.mode('hitl').isOff()) {
      return approvalErrors.unavailable(
        'The HITL bridge is off. Calls cannot be approved, but they can be rejected. Set hitl.enabled.',
      );
    }
    if (this.tools.find(approval.tool) === undefined) {
      return approvalErrors.unavailable(
        `The tool ${approval.tool} is not registered on this instance. Add it to \`tools\`.`,
      );
    }
    if (!settings.get('hitl.four_eyes')) return null;
    const requester = comparableId(approval.principalId ?? '');
    if (requester === '') return approvalErrors.requesterUnknown();
    return comparableId(actorId) === requester ? approvalErrors.selfApproval() : null;
  }

  /** The decision is committed: an unavailable store does not turn it into an error. */
  private async resume(approval: Approval): Promise<Approval> {
    const tool = this.tools.find(approval.tool);
    const standing = await this.runAndWait(approval, tool).catch((error: unknown) => {
      if (isTransient(error)) return approval;
      throw error;
    });
    if (standing.status === 'superseded') throw approvalErrors.superseded(standing);
    return standing;
  }

  private async runAndWait(approval: Approval, tool: Tool | undefined): Promise<Approval> {
    const run =
      tool === undefined
        ? null
        : await withinTime(this.runner.run(approval, tool), ANSWER_AFTER_MS, { onTimeout: () => null });
    return run ?? (await this.store.find(approval.id)) ?? approval;
  }
}

/**
 * The same decision by the same actor returns the stored approval; other callers get the earlier decision as an
 * error.
 */
function repeated(approval: Approval, verdict: ApprovalVerdict, actorId: string): Approval {
  if (approval.status === 'superseded') throw approvalErrors.superseded(approval);
  if (approval.decision !== verdict || approval.decidedBy !== actorId)
    throw approvalErrors.alreadyDecided(approval);
  if (approval.status === 'approved' || approval.status === 'executing') throw approvalErrors.executing();
  return approval;
}
