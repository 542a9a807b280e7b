import { Body, Controller } from '@nestjs/common';
import type { TrySanitizeData, TryScreenData } from '../../libs/contracts/src/api/try.responses.js';
import { Sandbox } from '../../libs/engine/src/sandbox.js';
import { Serves } from '../http/serves.decorator.js';
import { TrySanitizeDto } from './try-sanitize.dto.js';
import { TryScreenDto } from './try-screen.dto.js';
import { presentSanitised, presentScreening } from './try.presenter.js';

@Controller()
export class TryController {
  constructor(private readonly sandbox: Sandbox) {}

  @Serves('try.screen')
  async screen(@Body() { prompt }: TryScreenDto): Promise<TryScreenData> {
    return presentScreening(await this.sandbox.screen(prompt));
  }

  @Serves('try.sanitize')
  sanitize(@Body() { text, rendering }: TrySanitizeDto): TrySanitizeData {
    return presentSanitised(this.sandbox.sanitize(text, rendering));
  }
}
