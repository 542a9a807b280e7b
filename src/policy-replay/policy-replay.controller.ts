// `POST /try/policies`: an optional resource; `controllers.ts` has its line.
import { Body, Controller, Post } from '@nestjs/common';
import { TryPoliciesBody } from '#bodies/bodies.js';
import { TryPoliciesData } from '#contracts/api/try.js';
import { AuditStore } from '#contracts/audit/store.js';
import { Clock } from '#contracts/common/clock.js';
import type { Policies } from '#contracts/policies/policies.js';
import { toolPolicies } from '#contracts/settings/policy-kind.js';
import { ToolRegistry } from '#engine/controls/firewall/tool-registry.js';
import { LiveSettings } from '#engine/settings/live-settings.js';
import { parseRange } from '../http/time-window.js';
import { invalidBody } from '../http/validation.pipe.js';
import { Answers } from '../openapi/answers.js';
import { policyReplay, type PolicyReplay, type ReplayRequest } from './policy-replay.js';

const MAX_RANGE_MS = 90 * 24 * 3_600_000;

@Controller('try')
export class PolicyReplayController {
  private readonly policyReplay: PolicyReplay;

  constructor(
    audit: AuditStore,
    tools: ToolRegistry,
    settings: LiveSettings,
    private readonly clock: Clock,
  ) {
    this.policyReplay = policyReplay(audit, tools, settings);
  }

  @Post('policies')
  @Answers('try.policies', TryPoliciesData, {
    summary: 'Replay policies over recorded calls',
    description:
      'Decides recorded calls of control `hitl` again, under the given policies instead of those that were in force. Nothing is stored. A request covers a slice of the calls, newest first; repeat it with `next_cursor` as `cursor` and add the figures. A limit is compared with the sum that was spent when the call was made. Texts that hygiene (redaction and truncation) changed, and arguments that the recorded policy did not compare, cannot be compared.',
  })
  policies(@Body() input: TryPoliciesBody): Promise<TryPoliciesData> {
    return this.policyReplay.replay(replayRequestOf(input, this.clock.now()));
  }
}

/** At most ninety days, which end now by default. */
function replayRequestOf(input: TryPoliciesBody, now: Date): ReplayRequest {
  const { range, errors: ofRange } = parseRange(input);
  const errors: Record<string, readonly string[]> = { ...ofRange };
  const policies = toolPolicies.parse(input.policies);
  if (!policies.ok) errors['policies'] = policies.reasons;
  const to = range.to?.getTime() ?? now.getTime();
  const from = range.from?.getTime() ?? to - MAX_RANGE_MS;
  if (from > to) errors['from'] = ['must not be after to'];
  else if (to - from > MAX_RANGE_MS) errors['from'] = ['must not be more than 90 days before to'];
  if (Object.keys(errors).length > 0) throw invalidBody(errors);
  const candidate: Policies = policies.ok ? policies.value : {};
  return {
    policies: candidate,
    window: { from: new Date(from), to: new Date(to) },
    cursor: input.cursor ?? undefined,
  };
}
