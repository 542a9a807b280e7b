import { ONE_APPROVER, type Approval, type NewApproval } from '#contracts/approvals/approvals.js';
import type { Commitments, Content, Decision, Evidence } from '#contracts/audit/record.js';
import type { Outcome } from '#contracts/common/control-mode.js';
import type { NewRejection } from '#contracts/firewall/firewall.js';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import type { SettingChange } from '#contracts/settings/settings.js';
import { recordedContext } from '#contracts/screening/screening.js';
import type { SettingsPlan } from '#contracts/stores/settings.store.js';

/** The default time of all records. */
export const NOON = new Date('2026-03-10T12:00:00.000Z');

/** `NOON`, this many milliseconds later. */
export function noonPlus(milliseconds: number): Date {
  return new Date(NOON.getTime() + milliseconds);
}

/** A unique value in the form of a SHA-256 digest. */
export function newDigest(): string {
  return `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '');
}

/** A unique value in the form of a salt or a commitment: 32 bytes in base64url. */
export function newBytes(): string {
  return Buffer.from(newDigest(), 'hex').toString('base64url');
}

const SALT = 'c2FsdC1vZi10aGlydHktdHdvLWJ5dGVzLWV4YWN0bHk';

const COMMITMENTS: Commitments = {
  prompt: 'Y29tbWl0bWVudC1vZi10aGlydHktdHdvLWJ5dGVzLS4',
  matchedText: null,
  principal: null,
  policy: null,
};

/** What `decision` takes; other members get a default. */
export interface DecisionParts extends Partial<Evidence>, Partial<Content> {
  readonly rejection?: NewRejection | null;
  readonly outputCounts?: Decision['outputCounts'];
  readonly outgoing?: Decision['outgoing'];
}

/** An allowed prompt with the given evidence and content. */
export function decision(parts: DecisionParts = {}): Decision {
  const { rejection, outputCounts, outgoing, ...evidenceParts } = parts;
  const { storage = 'redact', prompt = 'hello', matchedSpan = null, ...rest } = evidenceParts;
  const { matchedText = null, alteration = null, policy = null, salt = SALT, ...seen } = rest;
  return {
    evidence: {
      occurredAt: NOON,
      control: 'input_screen',
      outcome: 'allowed',
      mode: 'enforce',
      origin: 'prompt',
      ruleId: null,
      matchedRules: [],
      erroredRuleIds: [],
      findings: [],
      findingCount: seen.findings?.length ?? 0,
      errored: false,
      ...recordedContext({}),
      tool: null,
      rendering: null,
      rulesetVersion: 'builtin-0123456789ab',
      promptLength: Array.from(prompt).length,
      durationUs: 42,
      approvalId: null,
      approvalStep: null,
      commitments: COMMITMENTS,
      ...seen,
    },
    content: { storage, prompt, matchedSpan, matchedText, alteration, policy, salt },
    rejection: rejection ?? null,
    outputCounts: outputCounts ?? [],
    outgoing: outgoing ?? [],
  };
}

/** Builds a refused call for a test of a store. */
export function newRejection(parts: Partial<NewRejection> = {}): NewRejection {
  return {
    tool: 'refund',
    principalId: null,
    application: null,
    violations: { amount: 'must be a number' },
    violationCount: Object.keys(parts.violations ?? { amount: '' }).length,
    enforced: true,
    occurredAt: NOON,
    ...parts,
  };
}

/** The decision about a tool call that the firewall rejected. */
export function refusal(parts: Partial<NewRejection> = {}): Decision {
  const rejection = newRejection(parts);
  return decision({
    control: 'tool_firewall',
    origin: 'tool_call',
    outcome: rejection.enforced ? 'blocked' : 'observed',
    occurredAt: rejection.occurredAt,
    tool: rejection.tool,
    rejection,
  });
}

/** Builds an event for a test of a store. */
export function outgoingEvent(parts: Partial<OutgoingEvent> = {}): OutgoingEvent {
  return {
    id: crypto.randomUUID(),
    name: 'guardrails.injection.blocked',
    subject: crypto.randomUUID(),
    severity: 'high',
    occurredAt: NOON,
    payload: {},
    sinks: ['siem'],
    ...parts,
  };
}

/** An event that throws when it is stored, so that the whole transaction must fail. */
export function unreadableEvent(): OutgoingEvent {
  return {
    ...outgoingEvent(),
    get payload(): never {
      throw new Error('unreadable');
    },
  };
}

/** A unique call without a run. */
export function newApproval(parts: Partial<NewApproval> = {}): NewApproval {
  return {
    reference: crypto.randomUUID(),
    tokenHash: newDigest(),
    encryptedToken: null,
    callMac: newDigest(),
    runId: null,
    stepName: 'refund',
    tool: 'refund',
    toolFingerprint: newDigest(),
    arguments: { order: 'A-1182', amount: 25 },
    argumentsDigest: newDigest(),
    requestedArguments: null,
    overwritten: [],
    reversible: false,
    idempotent: false,
    headline: null,
    warnings: [],
    risk: [],
    principalId: null,
    application: null,
    requestId: null,
    traceParent: null,
    policyRevision: 'policy-1',
    claims: [],
    requirement: ONE_APPROVER,
    supersedes: null,
    firstId: null,
    editors: [],
    editReason: null,
    ttlMs: 3_600_000,
    ...parts,
  };
}

/** The evidence of the current status of an approval. */
export function approvalEvidence(approval: Approval): Decision {
  const passed = approval.status === 'approved' || approval.status === 'executed';
  const outcome: Outcome = passed ? 'allowed' : 'blocked';
  return decision({
    control: 'hitl',
    origin: 'approval',
    outcome,
    tool: approval.tool,
    runId: approval.runId,
    prompt: `approval ${approval.id} is ${approval.status}`,
  });
}

/** What `settingsPlan` takes; other members get a default. */
export interface SettingsPlanParts extends Partial<Omit<SettingsPlan, 'overrides' | 'changes'>> {
  readonly overrides: Readonly<Record<string, unknown>>;
  /** Default: one per override, with null before. */
  readonly changes?: readonly SettingChange[];
}

/** Builds a change of settings for a test of a store. */
export function settingsPlan({ overrides, changes, ...rest }: SettingsPlanParts): SettingsPlan {
  return {
    overrides: new Map(Object.entries(overrides)),
    changes: changes ?? Object.entries(overrides).map(([key, after]) => ({ key, before: null, after })),
    actorId: 'ops-1',
    requestId: null,
    occurredAt: NOON,
    outgoing: [],
    ...rest,
  };
}
