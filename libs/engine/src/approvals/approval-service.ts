import type { Approval, ApprovalVerdict, Resolution } from '../../../contracts/src/approvals.js';
import type { ApprovalStore, DecideCommand, DecideResult } from '../../../contracts/src/approvals.store.js';
import { GuardrailsError, isTransient } from '../../../contracts/src/errors.js';
import type { Tool } from '../../../contracts/src/firewall.js';
import type { ToolCatalog } from '../ports.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { scrubText } from '../../../contracts/src/text.js';
import type { CurrentSettings } from '../ports.js';
import { comparableId } from '../text/comparison.js';
import { withinTime } from '../time-limit.js';
import type { ApprovalChecks } from './approval-checks.js';
import { approvalErrors } from './approval-errors.js';
import { type ApprovalKeys, ApprovalTokens } from './approval-keys.js';
import type { ApprovalRunner } from './approval-runner.js';
import type { ApprovalTransitions } from './approval-transitions.js';

/** How long the operator's request waits for the tool before it is told `executing`. */
const ANSWER_AFTER_MS = 10_000;

const CHANGED =
  'The record of this call is not as it was parked, or the secret of the bridge was changed: it will not run.';

export interface DecisionAuthor {
  readonly actorId: string;
  readonly reason: string | null;
}

export interface ResolutionAuthor {
  readonly actorId: string;
  readonly reason: string;
}

/** Turns a human's decision into a run or a refusal, and a human's word into the outcome of a run that nobody knows. */
export class ApprovalService {
  constructor(
    private readonly store: ApprovalStore,
    private readonly steps: ApprovalTransitions,
    private readonly runner: ApprovalRunner,
    private readonly checks: ApprovalChecks,
    private readonly tools: ToolCatalog,
    /** `null`: tokens cannot be made, so the bridge is not set up. */
    private readonly keys: ApprovalKeys | null,
    private readonly settings: CurrentSettings,
  ) {}

  get isSetUp(): boolean {
    return this.keys !== null;
  }

  /** What GET /approvals may show; `null` where tokens are delivered out of band. */
  tokenOf(approval: Pick<Approval, 'reference'>): string | null {
    return this.keys?.tokens.derive(approval) ?? null;
  }

  /** What an approver has to know: also that what they look at is not what was parked, and will not run. */
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
    // That its time is up comes before all that speaks against this approver.
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

  /** Settles an unknown outcome, by whoever found out. The same word of the same actor again answers what stands. */
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

  /** Whoever had to wait too long for the one who won is told who that was all the same. */
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
        'The HITL bridge is off: nothing can be approved, but calls can be rejected.',
      );
    }
    if (this.tools.find(approval.tool) === undefined) {
      return approvalErrors.unavailable(`The tool ${approval.tool} is not registered on this instance.`);
    }
    if (!settings.get('hitl.four_eyes')) return null;
    const requester = comparableId(approval.principalId ?? '');
    if (requester === '') return approvalErrors.requesterUnknown();
    return comparableId(actorId) === requester ? approvalErrors.selfApproval() : null;
  }

  /** The decision stands, whatever becomes of the run: a store that goes away now takes nothing of it back. */
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

/** The same actor saying the same again gets the stored outcome; anyone else is told who was first. */
function repeated(approval: Approval, verdict: ApprovalVerdict, actorId: string): Approval {
  if (approval.status === 'superseded') throw approvalErrors.superseded(approval);
  if (approval.decision !== verdict || approval.decidedBy !== actorId)
    throw approvalErrors.alreadyDecided(approval);
  if (approval.status === 'approved' || approval.status === 'executing') throw approvalErrors.executing();
  return approval;
}
