// POST /try/policies calls it: what would other policies decide on recorded calls?
import type { AuditStore, DecidedCall } from '#contracts/audit/store.js';
import type { ReplayObstacle, TryPoliciesData } from '#contracts/api/try.js';
import { addDecimals, decimalText, isMore, isSummable } from '#contracts/common/decimals.js';
import type { Page, TimeWindow } from '#contracts/common/page.js';
import {
  limitKey,
  type Policies,
  type PolicyLimit,
  type PolicyOutcome,
  type PolicyRecord,
} from '#contracts/policies/policies.js';
import { needsApproval, type ToolRegistry } from '#engine/controls/firewall/tool-registry.js';
import {
  compareOutcomes,
  evaluatePolicy,
  outcomeOf,
  policyInForce,
  type ArgumentLookup,
  type RunQuestion,
} from '#engine/policies/policy-evaluation.js';
import { argumentOf } from '#engine/policies/policy-record.js';
import type { LiveSettings } from '#engine/settings/live-settings.js';

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

/** Replays over the records of this engine. */
export function policyReplay(
  audit: AuditStore,
  tools: ToolRegistry,
  settings: Pick<LiveSettings, 'current'>,
): PolicyReplay {
  return new PolicyReplay(audit, (name) => needsApproval(tools.find(name) ?? { name }, settings.current()));
}

/** Replays candidate policies over recorded calls, in slices. Stores nothing. */
export class PolicyReplay {
  constructor(
    private readonly audit: AuditStore,
    /** Whether a call of this tool needs approval without a policy. */
    private readonly isDestructive: (tool: string) => boolean,
  ) {}

  async replay({ policies, window, cursor }: ReplayRequest): Promise<TryPoliciesData> {
    const page: Page<DecidedCall> = await this.audit.decidedCalls(window, {
      limit: SLICE,
      ...(cursor !== undefined && { cursor }),
    });
    const tally = new ReplayTally();
    for (const call of page.entries) {
      const tool = call.tool ?? '';
      const replayed = replayCall(call, policyInForce(policies, tool, this.isDestructive(tool)));
      if (typeof replayed === 'string') tally.skip(replayed);
      else tally.count(replayed);
    }
    return { ...tally.result(), next_cursor: page.next_cursor };
  }
}

class NotReplayable extends Error {
  constructor(readonly obstacle: ReplayObstacle) {
    super(obstacle);
  }
}

/** Both decisions on a recorded call, or why the candidate cannot decide it. */
function replayCall(
  call: DecidedCall,
  inForce: ReturnType<typeof policyInForce>,
): ChangedCall | ReplayObstacle {
  if (call.policy === null) return call.storage === 'erased' ? 'erased' : 'no_policy_recorded';
  const record = JSON.parse(call.policy) as PolicyRecord;
  const { require, approvers, rule, group, ttl, reason } = record;
  try {
    const after = decideAgain(inForce, call, record);
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
  { policy, isConfigured }: ReturnType<typeof policyInForce>,
  { application }: DecidedCall,
  record: PolicyRecord,
): PolicyOutcome {
  const argument: ArgumentLookup = (pointer) => {
    const recorded = Object.hasOwn(record.arguments, pointer) ? record.arguments[pointer] : undefined;
    if (recorded === undefined) throw new NotReplayable('argument_not_recorded');
    const found = argumentOf(recorded);
    if (found === null) throw new NotReplayable('argument_withheld');
    return found;
  };
  const isOver = (limit: PolicyLimit) => {
    const key = limitKey(limit);
    const spent = Object.hasOwn(record.spent, key) ? record.spent[key] : undefined;
    if (spent === undefined) throw new NotReplayable('limit_not_recorded');
    return isMore(addDecimals(spent, amountOf(limit, argument)), decimalText(limit.lte));
  };
  const run = () => questionOf(record);
  const { demand, rule } = evaluatePolicy(policy, { argument, application, run }, record.code, isOver);
  return outcomeOf(demand, isConfigured ? rule : null);
}

/** The answers that the policy of that time got. */
function questionOf({ run }: PolicyRecord): RunQuestion | null {
  if (run === undefined) throw new NotReplayable('run_not_recorded');
  if (run === null) return null;
  return {
    label: run.label,
    isVouched: (pointer) => {
      const answer = Object.hasOwn(run.vouched, pointer) ? run.vouched[pointer] : undefined;
      if (answer === undefined) throw new NotReplayable('run_not_recorded');
      return answer;
    },
  };
}

function amountOf({ sum }: PolicyLimit, argument: ArgumentLookup) {
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
    run_not_recorded: 0,
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
    const counts = this.rules.get(key) ?? { tool, rule, before: 0, after: 0 };
    this.rules.set(key, counts);
    return counts;
  }
}

/** Sorts the tally without a rule after those with a rule. */
function byToolAndRule(one: TryPoliciesData['rules'][number], other: TryPoliciesData['rules'][number]) {
  if (one.tool !== other.tool) return one.tool < other.tool ? -1 : 1;
  return (one.rule ?? Infinity) - (other.rule ?? Infinity);
}
