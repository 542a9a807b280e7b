import { randomUUID } from 'node:crypto';
import type { Actor } from '../../../contracts/src/actor.js';
import type {
  Approval,
  ApprovalStore,
  ApprovalVerdict,
  NewApproval,
} from '../../../contracts/src/approvals.js';
import type { Decision } from '../../../contracts/src/audit.js';
import type { Tool, ToolArguments, ToolCatalogue, ToolContext } from '../../../contracts/src/firewall.js';
import { GuardrailsError } from '../../../contracts/src/errors.js';
import type { Redactor } from '../../../contracts/src/output.js';
import type { DecisionRecorder, PreparedDecision } from '../../../contracts/src/recorder.js';
import type { Rulebook } from '../../../contracts/src/screening.js';
import type { CurrentSettings } from '../../../contracts/src/settings/current-settings.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { digestOf } from '../json/canonical-json.js';
import { approvalRefusals } from './approval-refusals.js';
import { approvalRuling } from './approval-ruling.js';
import type { ApprovalRunner } from './approval-runner.js';
import { ApprovalTokens } from './approval-token.js';
import { warningsFor } from './argument-warnings.js';

/** How long the operator's request waits for the tool before it is told `executing`. */
const ANSWER_AFTER_MS = 10_000;

export interface Decider {
  readonly actor: Actor;
  readonly reason: string | null;
}

/** Parks destructive calls, and turns a human's decision into a run or a refusal. */
export class ApprovalDesk {
  constructor(
    private readonly store: ApprovalStore,
    /** `null`: tokens cannot be made, so the bridge is not set up. */
    private readonly tokens: ApprovalTokens | null,
    private readonly tools: ToolCatalogue,
    private readonly runner: ApprovalRunner,
    private readonly recorder: DecisionRecorder,
    private readonly rulebook: Rulebook,
    private readonly redactor: Redactor,
    private readonly settings: CurrentSettings,
    private readonly policyRevision: (settings: Settings) => string,
  ) {}

  get isSetUp(): boolean {
    return this.tokens !== null;
  }

  /** What GET /approvals may show; `null` where tokens are delivered out of band. */
  tokenOf(approval: Approval): string | null {
    return this.tokens?.derive(approval) ?? null;
  }

  /** `null`: the principal has too many calls waiting. A store that fails throws, and the call must be refused. */
  async park(
    tool: Tool,
    args: ToolArguments,
    context: ToolContext,
    settings: Settings,
  ): Promise<Approval | null> {
    if (this.tokens === null) throw approvalRefusals.unavailable('The HITL bridge is not set up.');
    const reference = randomUUID();
    const call: NewApproval = {
      reference,
      tokenHash: this.tokens.issue(reference).hash,
      runId: context.runId ?? null,
      stepName: context.stepName ?? tool.name,
      tool: tool.name,
      toolFingerprint: this.tools.fingerprintOf(tool),
      arguments: args,
      argumentsDigest: digestOf(args),
      reversible: tool.reversible ?? false,
      idempotent: tool.idempotent ?? false,
      warnings: warningsFor(args, (name) => this.redactor.redact(name).text),
      principalId: context.principalId ?? null,
      application: context.application ?? null,
      requestId: context.requestId ?? null,
      policyRevision: this.policyRevision(settings),
      ttlMs: settings.get('hitl.ttl') * 1000,
    };
    const witness = this.witness(settings);
    const parked = await this.parkOnce(call, witness.evidence, settings);
    if (parked?.created === true) witness.announce();
    return parked?.approval ?? null;
  }

  private async parkOnce(
    call: NewApproval,
    evidence: (approval: Approval) => Decision,
    settings: Settings,
  ): ReturnType<ApprovalStore['park']> {
    try {
      return await this.store.park(call, evidence, settings.get('hitl.max_open_per_principal'));
    } catch (error) {
      throw GuardrailsError.ofStore(error);
    }
  }

  async decide(token: string, verdict: ApprovalVerdict, { actor, reason }: Decider): Promise<Approval> {
    if (!ApprovalTokens.looksLike(token)) throw approvalRefusals.unknown();
    const tokenHash = ApprovalTokens.hash(token);
    const settings = this.settings.current();
    const waiting = await this.store.findByTokenHash(tokenHash);
    if (waiting === null) throw approvalRefusals.unknown();
    if (verdict === 'approved' && waiting.status === 'pending')
      this.assertApprovable(waiting, actor, settings);

    const witness = this.witness(settings);
    const decided = await this.store.decide(tokenHash, {
      verdict,
      actor,
      reason,
      evidence: witness.evidence,
    });
    if (decided.kind === 'decided' || (decided.kind === 'expired' && decided.moved)) witness.announce();
    switch (decided.kind) {
      case 'unknown':
        throw approvalRefusals.unknown();
      case 'expired':
        throw approvalRefusals.expired();
      case 'already_decided':
        return repeated(decided.approval, verdict, actor);
      case 'decided':
        return verdict === 'rejected' ? decided.approval : this.resume(decided.approval);
      default:
        return decided satisfies never;
    }
  }

  private assertApprovable(approval: Approval, actor: Actor, settings: Settings): void {
    if (settings.mode('hitl').isOff()) {
      throw approvalRefusals.unavailable(
        'The HITL bridge is off: nothing can be approved, but calls can be rejected.',
      );
    }
    if (this.tools.find(approval.tool) === undefined) {
      throw approvalRefusals.unavailable(`The tool ${approval.tool} is not registered on this instance.`);
    }
    if (settings.get('hitl.four_eyes') && actor.id === approval.principalId)
      throw approvalRefusals.selfApproval();
  }

  private async resume(approval: Approval): Promise<Approval> {
    const tool = this.tools.find(approval.tool);
    if (tool === undefined || this.isStale(approval, tool)) {
      await this.runner.supersede(approval);
      throw approvalRefusals.superseded();
    }
    const run = this.runner.run(approval, tool);
    const finished = await withinAnswerTime(run);
    return finished ?? (await this.store.find(approval.id)) ?? approval;
  }

  /** What was approved is what runs: anything that changed since asks for a fresh approval. */
  private isStale(approval: Approval, tool: Tool): boolean {
    return (
      approval.toolFingerprint !== this.tools.fingerprintOf(tool) ||
      approval.argumentsDigest !== digestOf(approval.arguments) ||
      approval.policyRevision !== this.policyRevision(this.settings.current())
    );
  }

  /** Evidence that commits with the transition, and the events that follow once it has. */
  private witness(settings: Settings): { evidence: (approval: Approval) => Decision; announce: () => void } {
    const prepared: PreparedDecision[] = [];
    return {
      evidence: (approval) => {
        const ruling = approvalRuling(approval, settings, this.rulebook.rulesetVersion(settings));
        // A retried transaction builds it again: only the last one was committed.
        prepared[0] = this.recorder.prepare(ruling, settings);
        return prepared[0].decision;
      },
      announce: () => prepared[0]?.announce(null),
    };
  }
}

/** The same actor saying the same again gets the stored outcome; anyone else is told who was first. */
function repeated(approval: Approval, verdict: ApprovalVerdict, actor: Actor): Approval {
  if (approval.status === 'superseded') throw approvalRefusals.superseded();
  if (approval.decision !== verdict || approval.decidedBy !== actor.id)
    throw approvalRefusals.alreadyDecided(approval);
  if (approval.status === 'approved' || approval.status === 'executing') throw approvalRefusals.executing();
  return approval;
}

async function withinAnswerTime(run: Promise<Approval | null>): Promise<Approval | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ANSWER_AFTER_MS);
  });
  try {
    return await Promise.race([run, late]);
  } finally {
    clearTimeout(timer);
  }
}
