// The routes call it, and `Approvals` for code of the host.
import type { Approval, ApprovalVerdict, Resolution } from '#contracts/approvals/approvals.js';
import type { ApprovalChange, DecideCommand, NewVote } from '#contracts/stores/approvals.store.js';
import { GuardrailsError, isTransient } from '#contracts/common/errors.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import { scrubText } from '#contracts/common/text.js';
import { withinTime } from '../../shared/time-limit.js';
import type { ApprovalDependencies } from './approval-dependencies.js';
import { approvalErrors } from './approval-errors.js';
import { ApprovalTokens } from './approval-keys.js';
import { needsSeveral, type ApprovalQuorum } from './approval-quorum.js';
import type { ApprovalRunner } from './approval-runner.js';
import type { ApprovalTransitions } from './approval-transitions.js';
import type { ApproverRules, DecisionAuthor } from './approver-rules.js';

/** How long the request of an approver waits for the tool before it returns `executing`. */
const ANSWER_AFTER_MS = 10_000;

interface ResolutionAuthor {
  readonly actorId: string;
  readonly reason: string;
}

/** Approves, rejects and resolves pending calls. */
export class ApprovalService {
  /** Why an actor cannot decide a call. */
  readonly rules: ApproverRules;
  /** The votes of calls that need several approvers. */
  readonly votes: ApprovalQuorum;

  constructor(
    private readonly options: ApprovalDependencies & {
      readonly steps: ApprovalTransitions;
      readonly runner: ApprovalRunner;
      readonly rules: ApproverRules;
      readonly quorum: ApprovalQuorum;
    },
  ) {
    this.rules = options.rules;
    this.votes = options.quorum;
  }

  /** The token for GET /approvals; `null` under `out_of_band`. */
  tokenOf(approval: Pick<Approval, 'reference'>): string | null {
    return this.options.keys?.tokens.derive(approval) ?? null;
  }

  /**
   * Decides, or votes where the call needs several approvers: the approval is then still pending. With `id`, a token of
   * another approval counts as unknown.
   */
  async decide(
    token: string,
    verdict: ApprovalVerdict,
    { id, ...author }: DecisionAuthor & { readonly id?: number | undefined },
  ): Promise<Approval> {
    const waiting = await this.find(token);
    if (id !== undefined && id !== waiting.id) throw approvalErrors.unknown();
    return this.decideOn(waiting, verdict, author);
  }

  /** Like `decide`, for callers in the process. */
  async decideById(id: number, verdict: ApprovalVerdict, author: DecisionAuthor): Promise<Approval> {
    return this.decideOn(await this.findById(id), verdict, author);
  }

  async findById(id: number): Promise<Approval> {
    const approval = await this.options.store.find(id);
    if (approval === null) throw approvalErrors.noApproval();
    return approval;
  }

  /** The pending call, if this actor may edit it. */
  async findEditable(id: number, actorId: string): Promise<Approval> {
    const approval = await this.findById(id);
    return this.assertPending(approval, await this.rules.editRefusal(approval, actorId));
  }

  /** @throws why the approval is not pending, or the refusal. Expiry takes precedence over the refusal. */
  async assertPending(approval: Approval, refusal: GuardrailsError | null = null): Promise<Approval> {
    if (approval.status === 'expired') throw approvalErrors.expired();
    if (approval.status === 'superseded') throw approvalErrors.superseded(approval);
    if (approval.status !== 'pending') throw approvalErrors.alreadyDecided(approval);
    return this.unlessExpired(approval, refusal);
  }

  private async decideOn(
    waiting: Approval,
    verdict: ApprovalVerdict,
    author: DecisionAuthor,
  ): Promise<Approval> {
    const by = { ...author, actorId: scrubText(author.actorId) };
    if (waiting.status === 'expired') throw approvalErrors.expired();
    if (waiting.status !== 'pending') return assertSameDecision(waiting, verdict, by.actorId);
    const refusal = await this.rules.refusalOf(waiting, verdict, by);
    // Expiry takes precedence over reasons that concern this approver.
    if (refusal !== null) return this.unlessExpired(waiting, refusal);
    const vote = await this.voteFor(waiting, verdict, by.actorId);
    if (vote === 'already_voted') return this.unlessExpired(waiting, null);

    const decisionMac = this.options.keys?.macs.ofDecision(waiting.reference, verdict, by.actorId) ?? '';
    const command = { kind: 'decide', ...by, verdict, decisionMac, ...(vote !== null && { vote }) } as const;
    const change = await this.decideOrReadDecision(waiting, command);
    if (change === null) throw approvalErrors.unknown();
    const { approval } = change;
    // It was decided or has expired in the meantime, or another approver has voted: at most once per approver.
    if (change.kind === 'refused') return this.decideOn(approval, verdict, author);
    if (approval.status === 'expired') throw approvalErrors.expired();
    return approval.status === 'approved' ? this.resume(approval) : approval;
  }

  private async unlessExpired(waiting: Approval, refusal: GuardrailsError | null) {
    if ((await this.options.steps.take(waiting, { kind: 'expire' })) !== null) throw approvalErrors.expired();
    if (refusal !== null) throw refusal;
    return waiting;
  }

  private async voteFor(
    waiting: Approval,
    verdict: ApprovalVerdict,
    actorId: string,
  ): Promise<NewVote | 'already_voted' | null> {
    if (verdict === 'rejected' || this.options.keys === null || !needsSeveral(waiting)) return null;
    return (await this.votes.nextVote(waiting, actorId, this.options.keys)) ?? 'already_voted';
  }

  /** Resolves an unknown outcome. The same resolution by the same actor returns the stored approval. */
  async resolve(
    id: number,
    resolution: Resolution,
    { actorId, reason }: ResolutionAuthor,
  ): Promise<Approval> {
    const by = scrubText(actorId);
    const command = { kind: 'resolve', resolution, actorId: by, reason } as const;
    const change = await this.options.steps.perform({ id }, command);
    if (change === null) throw approvalErrors.noApproval();
    const { approval: standing } = change;
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

  /** If the statement timed out because of a concurrent decision, that decision is the result. */
  private async decideOrReadDecision(
    { id }: Approval,
    command: DecideCommand,
  ): Promise<ApprovalChange | null> {
    try {
      return await this.options.steps.perform({ id }, command);
    } catch (error) {
      const isLate = error instanceof GuardrailsError && error.code === 'query_timeout';
      const approval = isLate ? await this.options.store.find(id) : null;
      if (approval === null || approval.status === 'pending') throw error;
      return { kind: 'refused', approval, why: 'status' };
    }
  }

  /** Texts that cannot be a token are not looked up. */
  async findByToken(token: string): Promise<Approval | null> {
    const approval = ApprovalTokens.looksLike(token)
      ? await this.options.store.findByTokenHash(ApprovalTokens.hash(token))
      : null;
    return approval !== null && ApprovalTokens.matches(token, approval) ? approval : null;
  }

  private async find(token: string) {
    const approval = await this.findByToken(token);
    if (approval === null) throw approvalErrors.unknown();
    return approval;
  }

  /** The decision is committed: an unavailable store does not turn it into an error. */
  private async resume(approval: Approval) {
    const tool = this.options.tools.find(approval.tool);
    const standing = await this.runAndWait(approval, tool).catch((error: unknown) => {
      if (isTransient(error)) return approval;
      throw error;
    });
    if (standing.status === 'superseded') throw approvalErrors.superseded(standing);
    return standing;
  }

  private async runAndWait(approval: Approval, tool: Tool | undefined) {
    const run =
      tool === undefined
        ? null
        : await withinTime(this.options.runner.run(approval, tool), ANSWER_AFTER_MS, {
            onTimeout: () => null,
          });
    return run ?? (await this.options.store.find(approval.id)) ?? approval;
  }
}

/**
 * The same decision by the same actor returns the stored approval; other callers get the earlier decision as an
 * error.
 */
function assertSameDecision(approval: Approval, verdict: ApprovalVerdict, actorId: string) {
  if (approval.status === 'superseded') throw approvalErrors.superseded(approval);
  if (approval.decision !== verdict || approval.decidedBy !== actorId)
    throw approvalErrors.alreadyDecided(approval);
  if (approval.status === 'approved' || approval.status === 'executing') throw approvalErrors.executing();
  return approval;
}
