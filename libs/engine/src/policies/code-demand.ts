import type { Tool, ToolArguments, ToolContext } from '#contracts/firewall/firewall.js';
import type { PolicyDemand } from '#contracts/policies/policies.js';
import { readDemand } from '#contracts/settings/policy-kind.js';
import { withinTime } from '../shared/time-limit.js';
import type { CodeDemand } from './policy-evaluation.js';
import { combineDemands } from './strictness.js';

/** Time limit for the code of the host. */
const TIME_LIMIT_MS = 1000;

/** What `approval()` of these tools requires together. An error, a late answer or an invalid one is `failed`. */
export async function demandOfCode(
  tools: readonly Tool[],
  args: ToolArguments,
  context: ToolContext,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<CodeDemand> {
  let demand: PolicyDemand | null = null;
  for (const tool of new Set(tools.filter(({ approval }) => approval !== undefined))) {
    try {
      // The code gets a copy, so that it cannot change the arguments.
      const pendingAnswer = tool.approval?.(structuredClone(args), context);
      const answer: unknown = await withinTime(pendingAnswer, timeLimitMs);
      if (answer === null || answer === undefined) continue;
      const required = readDemand(answer);
      if (required === null) return 'failed';
      demand = demand === null ? required : combineDemands(demand, required);
    } catch {
      return 'failed';
    }
  }
  return demand;
}
