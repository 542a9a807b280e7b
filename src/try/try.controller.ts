import { Body, Controller, Post } from '@nestjs/common';
import { TrySanitizeBody, TryScreenBody } from '#bodies/bodies.js';
import { TrySanitizeData, TryScreenData } from '#contracts/api/try.js';
import { Sandbox } from '#engine/trials/sandbox.js';
import { Answers } from '../openapi/answers.js';

const SANDBOX = 'Runs the live rules, even if the control is off. No store, statistic or event is touched.';

@Controller('try')
export class TryController {
  constructor(private readonly sandbox: Sandbox) {}

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
