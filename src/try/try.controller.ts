import { Body, Controller, Post } from '@nestjs/common';
import { TryPoliciesBody, TrySanitizeBody, TryScreenBody } from '#bodies/bodies.js';
import { TryPoliciesData, TrySanitizeData, TryScreenData } from '#contracts/api/try.js';
import { Clock } from '#contracts/common/clock.js';
import type { Policies } from '#contracts/policies/policies.js';
import { toolPolicies } from '#contracts/settings/policy-kind.js';
import { PolicyReplay, type ReplayRequest } from '#engine/policies/policy-replay.js';
import { Sandbox } from '#engine/trials/sandbox.js';
import { parseRange } from '../http/time-window.js';
import { Answers } from '../openapi/answers.js';
import { invalidBody } from '../http/validation.pipe.js';

const SANDBOX = 'Runs the live rules, even if the control is off. No store, statistic or event is touched.';

const MAX_RANGE_MS = 90 * 24 * 3_600_000;

@Controller('try')
export class TryController {
  constructor(
    private readonly sandbox: Sandbox,
    private readonly policyReplay: PolicyReplay,
    private readonly clock: Clock,
  ) {}

  @Post('screen')
  @Answers('try.screen', TryScreenData, {
    summary: 'Screen a prompt without recording it',
    description: SANDBOX,
    errors: ['invalid_settings', 'not_overridable'],
    storeless: true,
  })
  screen(@Body() { prompt, application, origin, candidate }: TryScreenBody): Promise<TryScreenData> {
    const context = { ...(application && { application }), ...(origin && { origin }) };
    return this.sandbox.screen(prompt, context, candidate ?? undefined);
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

  @Post('sanitize')
  @Answers('try.sanitize', TrySanitizeData, {
    summary: 'Sanitize a model output without recording it',
    description: SANDBOX,
    storeless: true,
  })
  sanitize(@Body() { text, rendering }: TrySanitizeBody): Promise<TrySanitizeData> {
    return this.sandbox.sanitize(text, rendering ?? undefined);
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
