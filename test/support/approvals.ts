import { randomUUID } from 'node:crypto';
import {
  ONE_APPROVER,
  type Approval,
  type ApprovalRequirement,
  type ApprovalVerdict,
  type NewApproval,
} from '#contracts/approvals/approvals.js';
import type { ApprovalStore } from '#contracts/stores/approvals.store.js';
import type { ParkedCall, Tool, ToolContext } from '#contracts/firewall/firewall.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import type { Diagnostics } from '#engine/shared/ports.js';
import type { Engine } from '#engine/create-engine.js';
import { ApprovalKeys } from '#engine/controls/approvals/approval-keys.js';
import { approvalEvidence, newApproval } from '#stores/contract/builders.js';
import { TOKEN_SECRET } from './engine.js';
import { watchedStores } from './watched-stores.mjs';

let runs = 0;

/** A new run. */
export function aRun(): Pick<ToolContext, 'runId' | 'principalId'> {
  return { runId: `run-${++runs}`, principalId: 'customer-42' };
}

/** Parks a call, as a model would request it. */
export async function parkedCall(
  { guardrails }: Engine,
  tool: Tool,
  args: unknown = { order: 'A-1182' },
  context: ToolContext = aRun(),
): Promise<ParkedCall> {
  const outcome = await guardrails.guardTool(tool, context).execute(args);
  if (outcome.status !== 'parked') throw new Error(`not parked: ${JSON.stringify(outcome)}`);
  return outcome.parked;
}

export async function decide(
  engine: Engine,
  { reference }: Pick<Approval, 'reference'>,
  verdict: ApprovalVerdict = 'approved',
  actor = 'ops-1',
): Promise<Approval> {
  const token = engine.approvalService.tokenOf({ reference }) ?? '';
  return engine.approvalService.decide(token, verdict, { actorId: actor, reason: null });
}

export async function statusOf({ approvals }: StoreBackend, { approvalId }: ParkedCall): Promise<string> {
  return (await approvals.find(approvalId))?.status ?? 'gone';
}

/** Stores of a process that ends at one of these steps: the step throws. */
export function storesDyingAt(stores: StoreBackend, ...steps: readonly string[]): StoreBackend {
  return watchedStores(stores, (step) => {
    if (steps.includes(step)) throw new Error(`it died at ${step}`);
  });
}

/** Runs one recovery round, and waits for the runs that it starts. */
export async function recovered({ recovery }: Engine): Promise<void> {
  await recovery.recover();
  await recovery.idle();
}

/** The same stores, with one method of the approval store replaced. */
export function changing<Act extends keyof ApprovalStore>(
  stores: StoreBackend,
  act: Act,
  change: (original: ApprovalStore[Act]) => ApprovalStore[Act],
): StoreBackend {
  const approvals = withMember(stores.approvals, act, change(bound(stores.approvals, act)));
  return withMember(stores, 'approvals', approvals);
}

function withMember<Whole extends object, Name extends keyof Whole>(
  whole: Whole,
  changed: Name,
  member: Whole[Name],
): Whole {
  return new Proxy(whole, {
    get: (target, name) => (name === changed ? member : bound(target, name as keyof Whole)),
  });
}

function bound<Whole extends object, Name extends keyof Whole>(whole: Whole, name: Name): Whole[Name] {
  const member: unknown = whole[name];
  return (typeof member === 'function' ? member.bind(whole) : member) as Whole[Name];
}

/** Collects the log of the engine. */
export function recordWarnings(): { readonly diagnostics: Diagnostics; readonly warnings: string[] } {
  const warnings: string[] = [];
  return {
    warnings,
    diagnostics: { warn: (message, facts) => void warnings.push(`${message} ${JSON.stringify(facts)}`) },
  };
}

/** Parks the same call once more, sealed with this requirement. */
export async function parkedRequiring(
  { approvals }: StoreBackend,
  { approvalId }: Pick<ParkedCall, 'approvalId'>,
  parts: Partial<ApprovalRequirement>,
  { secret = TOKEN_SECRET, ...call }: Partial<NewApproval> & { readonly secret?: string } = {},
): Promise<Approval & { readonly token: string }> {
  const keys = new ApprovalKeys(secret, 'list');
  const like = await approvals.find(approvalId);
  if (like === null) throw new Error('There is no such call.');
  const reference = randomUUID();
  const { token, hash, encrypted } = keys.tokens.issue(reference);
  const sealed = {
    ...like,
    arguments: like.arguments ?? {},
    runId: null,
    ttlMs: 3_600_000,
    ...call,
    reference,
    tokenHash: hash,
    encryptedToken: encrypted,
    requirement: { ...ONE_APPROVER, ...parts },
  };
  const resealed = { ...sealed, callMac: keys.macs.ofCall(sealed) };
  const parked = await approvals.park(newCallOf(resealed), approvalEvidence, 1000);
  if (parked === null) throw new Error('The call was not parked.');
  return { ...parked.approval, token };
}

/** The columns of a new call, without those of its decision. */
function newCallOf(call: NewApproval): NewApproval {
  const columns = Object.keys(newApproval()) as (keyof NewApproval)[];
  return Object.fromEntries(columns.map((column) => [column, call[column]])) as unknown as NewApproval;
}
