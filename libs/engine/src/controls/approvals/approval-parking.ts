// Makes a call wait for approval, or an edited one in its place. The tool guard and the editor call it.
import { randomUUID } from 'node:crypto';
import type { Approval, NewApproval, OverwrittenArgument } from '#contracts/approvals/approvals.js';
import type { CallIdentity } from '#contracts/stores/approvals.store.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import type {
  AbortSignalLike,
  ParkedCall,
  Tool,
  ToolArguments,
  ToolCallOutcome,
  ToolContext,
} from '#contracts/firewall/firewall.js';
import type { ApprovalTerms } from '../../shared/ports.js';
import type { Settings } from '#contracts/settings/settings.js';
import { scrubText } from '#contracts/common/text.js';
import { canonicalJson, digestOf } from '../../json/plain-json.js';
import type { ApprovalDependencies } from './approval-dependencies.js';
import { approvalErrors } from './approval-errors.js';
import type { ApprovalOutcomes } from './approval-outcomes.js';
import { contextOf, type ApprovalTransitions } from './approval-transitions.js';
import { headlineOf } from './headline.js';
import { callerWarnings, argumentWarnings } from './argument-warnings.js';

/** What the policy of the tool requires of the pending call, and what the model requested. */
interface ParkingTerms extends ApprovalTerms {
  readonly requested: {
    readonly arguments: ToolArguments;
    readonly overwritten: readonly OverwrittenArgument[];
  };
}

export interface CallToPark {
  readonly tool: Tool;
  readonly args: ToolArguments;
  readonly context: ToolContext;
  readonly settings: Settings;
  readonly terms: ParkingTerms;
  /** What the caller's tool of this name says of the call. Default: that of `tool`. */
  readonly describedBy?: Tool;
}

type Origin = Pick<NewApproval, 'supersedes' | 'firstId' | 'editors' | 'editReason' | 'traceParent'>;

const NOT_EDITED = { supersedes: null, firstId: null, editors: [], editReason: null };

/** Stores pending calls with everything that is checked again before they run. */
export class ApprovalParking {
  constructor(private readonly options: ApprovalDependencies & { readonly steps: ApprovalTransitions }) {}

  /**
   * `findSame`: the same call of the same run, if it waits for approval or was decided. `findLast`: the newest approval
   * under which this call of the run was requested, also if it expired or failed.
   */
  async find(
    by: 'findSame' | 'findLast',
    tool: Tool,
    args: ToolArguments,
    context: ToolContext,
  ): Promise<Approval | null> {
    if (context.runId === undefined) return null;
    return stored(() => this.options.store[by](identityOf(tool, args, context)));
  }

  /**
   * `null`: the principal has too many pending calls. If the store fails this throws, and the call must be refused.
   */
  async park(parked: CallToPark): Promise<Approval | null> {
    const { settings, terms } = parked;
    const origin = { ...NOT_EDITED, traceParent: this.options.tracing.traceParent() };
    const call = await this.newApproval(parked, origin);
    const parking = await stored(() => this.options.steps.park(call, settings, terms.record));
    return parking?.approval ?? null;
  }

  /** Replaces a pending call by an edited one. `null`: it is no longer pending. */
  async propose(
    replaced: Approval,
    edit: { readonly actorId: string; readonly reason: string | null },
    edited: Omit<CallToPark, 'context'>,
  ): Promise<Approval | null> {
    const { settings, terms } = edited;
    const origin = {
      supersedes: replaced.id,
      firstId: replaced.firstId ?? replaced.id,
      editors: [...replaced.editors, edit.actorId],
      editReason: edit.reason,
      traceParent: replaced.traceParent,
    };
    const context = contextOf(replaced);
    const call = await this.newApproval({ ...edited, context }, origin);
    return stored(() => this.options.steps.propose(replaced, call, settings, terms.record));
  }

  private async newApproval(
    { tool, args, context, settings, terms, describedBy = tool }: CallToPark,
    origin: Origin,
  ): Promise<NewApproval> {
    const { keys } = this.options;
    if (keys === null) throw approvalErrors.unavailable('Approvals are not set up. Set hitl.token_secret.');
    const { requirement, ttlMs, claims, requested } = terms;
    const reference = randomUUID();
    const { hash, encrypted } = keys.tokens.issue(reference);
    const toolFingerprint = this.options.tools.fingerprintOf(tool);
    if (toolFingerprint === null)
      throw approvalErrors.unavailable(
        `The schema of ${tool.name} cannot be identified. Declare a \`schemaVersion\` on the tool.`,
      );
    const { runId, argumentsDigest, ...identity } = identityOf(tool, args, context);
    const ofArguments = argumentWarnings(args, (name) => this.options.redactor.redact(name).text);
    const call = {
      ...identity,
      ...origin,
      reference,
      tokenHash: hash,
      runId,
      toolFingerprint,
      argumentsDigest,
      requestedArguments: isOther(requested.arguments, args) ? requested.arguments : null,
      overwritten: requested.overwritten,
      reversible: tool.reversible ?? false,
      idempotent: tool.idempotent ?? false,
      claims,
      policyRevision: this.options.policyRevision(settings, identity.tool),
      risk: await terms.risk(),
      headline: await headlineOf(describedBy, args, this.options.diagnostics),
      warnings: [...callerWarnings(identity), ...ofArguments].map(scrubText),
      requirement: { ...requirement, group: requirement.group && scrubText(requirement.group) },
    };
    return {
      ...call,
      // The MAC covers the stored form, because it is compared with stored values.
      callMac: keys.macs.ofCall(call),
      encryptedToken: encrypted,
      arguments: args,
      requestId: scrubbed(context.requestId),
      ttlMs,
    };
  }
}

async function stored<Result>(step: () => Promise<Result>) {
  try {
    return await step();
  } catch (error) {
    throw GuardrailsError.ofStore(error);
  }
}

function identityOf(tool: Tool, args: ToolArguments, context: ToolContext): CallIdentity {
  return {
    runId: scrubbed(context.runId),
    stepName: scrubText(context.stepName ?? tool.name),
    tool: scrubText(tool.name),
    argumentsDigest: digestOf(args),
    principalId: scrubbed(context.principalId),
    application: scrubbed(context.application),
  };
}

function isOther(one: ToolArguments, other: ToolArguments) {
  return canonicalJson(one) !== canonicalJson(other);
}

function scrubbed(text: string | undefined) {
  return text === undefined ? null : scrubText(text);
}

/** The result of a guarded call that waits for approval, with the text for the model. */
export function parkedOutcome(
  approval: Approval,
  outcomes: Pick<ApprovalOutcomes, 'waitFor'>,
): Extract<ToolCallOutcome<never>, { status: 'parked' }> {
  const { id: approvalId, reference } = approval;
  const call = { approvalId, reference, expiresAt: approval.expiresAt.toISOString() };
  const outcome = (signal?: AbortSignalLike) => outcomes.waitFor(approvalId, signal);
  return {
    status: 'parked',
    message: messageOf(approval),
    approvalId,
    // The property is not enumerable, so that copies, comparisons and JSON contain only the data.
    parked: Object.defineProperty(call, 'outcome', { value: outcome }) as ParkedCall,
  };
}

/** The same call of the run may have been decided before; a rejected call does not wait again. */
function messageOf({ status, reference, reason }: Approval) {
  switch (status) {
    case 'pending':
      return `The call waits for approval. Reference: ${reference}.`;
    case 'rejected':
      return `The same call was rejected in this run. Do not request it again. Reference: ${reference}.${reason === null ? '' : ` Reason: ${reason}`}`;
    case 'expired':
      return `The same call was not decided in time. Request it again if it is still wanted. Reference: ${reference}.`;
    default:
      return `The same call was decided before. Its status is ${status}. Reference: ${reference}.`;
  }
}
