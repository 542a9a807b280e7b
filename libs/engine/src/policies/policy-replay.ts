import type { AuditStore } from '#contracts/audit/store.js';
import type { AuditEntry } from '#contracts/audit/record.js';
import type { ReplayObstacle, TryPoliciesData } from '#contracts/api/try.js';
import { addDecimals, decimalText, isMore, isSummable } from '#contracts/common/decimals.js';
import type { Page, TimeWindow } from '#contracts/common/page.js';
import {
  limitKey,
  policyOfCall,
  type Policies,
  type PolicyLimit,
  type PolicyOutcome,
  type PolicyRecord,
  type ToolPolicy,
} from '#contracts/policies/policies.js';
import { type ArgumentLookup, evaluatePolicy } from './policy-evaluation.js';
import { argumentOf } from './policy-record.js';
import { combineDemands, compareOutcomes, outcomeOf } from './strictness.js';

/** Recorded calls that one request replays. */
const SLICE = 5_000;
/** Changed calls that are listed in each direction. */
const MAX_LISTED = 50;

type ChangedCall = TryPoliciesData['stricter']['calls'][number];

export interface ReplayRequest {
  readonly policies: Policies;
  readonly window: TimeWindow;
  readonly cursor?: number | undefined;
}

/** Replays candidate policies over recorded calls, in slices. Stores nothing. */
export class PolicyReplay {
  constructor(
    private readonly audit: AuditStore,
    /** Whether a call of this tool needs approval without a policy. */
    private readonly isDestructive: (tool: string) => boolean,
    private readonly slice = SLICE,
  ) {}

  async replay({ policies, window, cursor }: ReplayRequest): Promise<TryPoliciesData> {
    const page: Page<AuditEntry> = await this.audit.decidedCalls(window, {
      limit: this.slice,
      ...(cursor !== undefined && { cursor }),
    });
    const tally = new ReplayTally();
    for (const call of page.entries) {
      const replayed = replayCall(call, (tool) => this.policyFor(tool, policies));
      if (typeof replayed === 'string') tally.skip(replayed);
      else tally.count(replayed);
    }
    return { ...tally.result(), next_cursor: page.next_cursor };
  }

  /** `null`: the call needs no approval, unless the code of the tool requires one. */
  private policyFor(tool: string, policies: Policies): ToolPolicy | null {
    const isDestructive = this.isDestructive(tool);
    return policyOfCall(policies, tool, isDestructive) ?? (isDestructive ? EMPTY_POLICY : null);
  }
}

/** Requires one approval for every call. */
const EMPTY_POLICY: ToolPolicy = { rules: [], limits: [] };

class NotReplayable extends Error {
  constructor(readonly obstacle: ReplayObstacle) {
    super(obstacle);
  }
}

/** Both decisions on a recorded call, or why the candidate cannot decide it. */
function replayCall(
  call: AuditEntry,
  policyFor: (tool: string) => ToolPolicy | null,
): ChangedCall | ReplayObstacle {
  if (call.policy === null) return call.storage === 'erased' ? 'erased' : 'no_policy_recorded';
  const record = JSON.parse(call.policy) as PolicyRecord;
  const { require, approvers, rule, group, ttl, reason } = record;
  try {
    const after = decideAgain(policyFor(call.tool ?? ''), call, record);
    return {
      audit_id: call.id,
      tool: call.tool ?? '',
      occurred_at: call.occurredAt.toISOString(),
      before: { require, approvers, rule, group, ttl, reason },
      after,
    };
  } catch (error) {
    if (error instanceof NotReplayable) return error.obstacle;
    throw error;
  }
}

function decideAgain(
  policy: ToolPolicy | null,
  { application }: AuditEntry,
  record: PolicyRecord,
): PolicyOutcome {
  if (policy === null) return decideByCode(record);
  const argument: ArgumentLookup = (pointer) => {
    const recorded = Object.hasOwn(record.arguments, pointer) ? record.arguments[pointer] : undefined;
    if (recorded === undefined) throw new NotReplayable('argument_not_recorded');
    const found = argumentOf(recorded);
    if (found === null) throw new NotReplayable('argument_withheld');
    return found;
  };
  const isOver = (limit: PolicyLimit): boolean => {
    const key = limitKey(limit);
    const spent = Object.hasOwn(record.spent, key) ? record.spent[key] : undefined;
    if (spent === undefined) throw new NotReplayable('limit_not_recorded');
    return isMore(addDecimals(spent, amountOf(limit, argument)), decimalText(limit.lte));
  };
  const { demand, rule } = evaluatePolicy(policy, { argument, application }, record.code, isOver);
  return outcomeOf(demand, rule);
}

/** The decision on a call that no policy covers. */
function decideByCode({ code }: PolicyRecord): PolicyOutcome {
  const demand =
    code === 'failed'
      ? ({ require: 'approval' } as const)
      : combineDemands({ require: 'allow' }, code ?? { require: 'allow' });
  return outcomeOf(demand, null);
}

function amountOf({ sum }: PolicyLimit, argument: ArgumentLookup): string {
  if (sum === undefined) return '1';
  const found = argument(sum);
  return found.kind === 'value' && isSummable(found.value) ? decimalText(found.value) : '0';
}

/** Counts replayed calls. */
class ReplayTally {
  private readonly rules = new Map<
    string,
    { tool: string; rule: number | null; before: number; after: number }
  >();
  private readonly changed = { stricter: [] as ChangedCall[], looser: [] as ChangedCall[] };
  private readonly counts = { stricter: 0, looser: 0, unchanged: 0 };
  private readonly obstacles: Record<ReplayObstacle, number> = {
    erased: 0,
    no_policy_recorded: 0,
    argument_not_recorded: 0,
    argument_withheld: 0,
    limit_not_recorded: 0,
  };

  skip(obstacle: ReplayObstacle): void {
    this.obstacles[obstacle]++;
  }

  count(change: ChangedCall): void {
    const { tool, before, after } = change;
    this.ruleOf(tool, before.rule).before++;
    this.ruleOf(tool, after.rule).after++;
    const difference = compareOutcomes(after, before);
    const direction = difference === 0 ? 'unchanged' : difference > 0 ? 'stricter' : 'looser';
    this.counts[direction]++;
    if (direction === 'unchanged' || this.changed[direction].length === MAX_LISTED) return;
    this.changed[direction].push(change);
  }

  result(): Omit<TryPoliciesData, 'next_cursor'> {
    const { stricter, looser, unchanged } = this.counts;
    return {
      replayed: stricter + looser + unchanged,
      unchanged,
      rules: [...this.rules.values()].toSorted(byToolAndRule),
      stricter: { count: stricter, calls: this.changed.stricter },
      looser: { count: looser, calls: this.changed.looser },
      not_replayable: this.obstacles,
    };
  }

  private ruleOf(tool: string, rule: number | null) {
    const key = JSON.stringify([tool, rule]);
    const known = this.rules.get(key) ?? { tool, rule, before: 0, after: 0 };
    this.rules.set(key, known);
    return known;
  }
}

/** Sorts the tally without a rule after those with a rule. */
function byToolAndRule(
  one: TryPoliciesData['rules'][number],
  other: TryPoliciesData['rules'][number],
): number {
  if (one.tool !== other.tool) return one.tool < other.tool ? -1 : 1;
  return (one.rule ?? Infinity) - (other.rule ?? Infinity);
}
