import { randomUUID } from 'node:crypto';
import type { Approval, ApprovalOutcome, NewApproval } from '#contracts/approvals.js';
import { GuardrailsError } from '#contracts/errors.js';
import type {
  AbortSignalLike,
  ParkedCall,
  Tool,
  ToolArguments,
  ToolCallOutcome,
  ToolContext,
} from '#contracts/firewall.js';
import type { ToolCatalog, Redactor } from '../ports.js';
import type { Settings } from '#contracts/settings/settings.js';
import { scrubText } from '#contracts/text.js';
import { digestOf } from '../json/plain-json.js';
import { approvalErrors } from './approval-errors.js';
import type { ApprovalKeys } from './approval-keys.js';
import type { ApprovalOutcomes } from './approval-outcomes.js';
import type { ApprovalTransitions } from './approval-transitions.js';
import { callerWarnings, argumentWarnings } from './argument-warnings.js';

/** Parks calls with everything that is checked again before they run. */
export class ApprovalParking {
  constructor(
    private readonly keys: ApprovalKeys | null,
    private readonly tools: ToolCatalog,
    private readonly steps: ApprovalTransitions,
    private readonly redactor: Redactor,
    private readonly policyRevision: (settings: Settings) => string,
  ) {}

  /**
   * `null`: the principal has too many parked calls. If the store fails this throws, and the call must be refused.
   */
  async park(
    tool: Tool,
    args: ToolArguments,
    context: ToolContext,
    settings: Settings,
  ): Promise<Approval | null> {
    if (this.keys === null)
      throw approvalErrors.unavailable('The HITL bridge is not set up. Set hitl.token_secret.');
    const call = this.callOf(this.keys, tool, args, context, settings);
    try {
      return (await this.steps.park(call, settings))?.approval ?? null;
    } catch (error) {
      throw GuardrailsError.ofStore(error);
    }
  }

  private callOf(
    { tokens, macs: seals }: ApprovalKeys,
    tool: Tool,
    args: ToolArguments,
    context: ToolContext,
    settings: Settings,
  ): NewApproval {
    const reference = randomUUID();
    const { hash, encrypted: sealed } = tokens.issue(reference);
    const toolFingerprint = this.tools.fingerprintOf(tool);
    if (toolFingerprint === null)
      throw approvalErrors.unavailable(
        `The schema of ${tool.name} cannot be identified. Declare a \`schemaVersion\` on the tool.`,
      );
    const asked = {
      stepName: scrubText(context.stepName ?? tool.name),
      tool: scrubText(tool.name),
      principalId: scrubbed(context.principalId),
      application: scrubbed(context.application),
    };
    const about = argumentWarnings(args, (name) => this.redactor.redact(name).text);
    const call = {
      ...asked,
      reference,
      tokenHash: hash,
      runId: scrubbed(context.runId),
      toolFingerprint,
      argumentsDigest: digestOf(args),
      reversible: tool.reversible ?? false,
      idempotent: tool.idempotent ?? false,
      policyRevision: this.policyRevision(settings),
      warnings: [...callerWarnings(asked), ...about].map(scrubText),
    };
    return {
      ...call,
      // In stored form: MACs are compared with stored values.
      callMac: seals.ofCall(call),
      encryptedToken: sealed,
      arguments: args,
      requestId: scrubbed(context.requestId),
      ttlMs: settings.get('hitl.ttl') * 1000,
    };
  }
}

function scrubbed(text: string | undefined): string | null {
  return text === undefined ? null : scrubText(text);
}

/** A class with a private field, so that copies, comparisons and JSON contain only the data. */
class WaitingCall implements ParkedCall {
  readonly #outcomes: ApprovalOutcomes;

  constructor(
    readonly approvalId: number,
    readonly reference: string,
    readonly expiresAt: Date,
    outcomes: ApprovalOutcomes,
  ) {
    this.#outcomes = outcomes;
  }

  outcome(signal?: AbortSignalLike): Promise<ApprovalOutcome> {
    return this.#outcomes.waitFor(this.approvalId, signal);
  }
}

/** The result of a guarded call that was parked, with the text for the model. */
export function parkedOutcome(
  { id, reference, expiresAt, status }: Approval,
  outcomes: ApprovalOutcomes,
): Extract<ToolCallOutcome<never>, { status: 'parked' }> {
  const what = status === 'pending' ? 'The call waits for approval.' : 'The same call was decided before.';
  return {
    status: 'parked',
    parked: new WaitingCall(id, reference, expiresAt, outcomes),
    message: `${what} Reference: ${reference}.`,
  };
}
