import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OutboxStore } from '#contracts/events/outbox.js';
import { withinTime } from '#engine/shared/time-limit.js';
import { ApiRequest } from '../http/api-request.js';

const POSITION_LIMIT_MS = 500;

/** Served at `panel.path`: the pages, behind the gate. Files, and pages with `panel.auth: bearer`, have no gate. */
@Controller()
export class PanelController {
  constructor(private readonly outbox: OutboxStore) {}

  @All()
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { match } = ApiRequest.get(request);
    if (match.kind !== 'panel') return;
    match.requested.answer(request, response, await this.position());
  }

  /** The page is shown without it, and reads again when its stream opens. */
  private async position(): Promise<number | undefined> {
    return withinTime(this.outbox.newest(), POSITION_LIMIT_MS).catch(() => undefined);
  }
}
