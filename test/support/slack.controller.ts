import { Controller, Post, Req, Res, type RawBodyRequest } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SlackApprovals } from '#slack/slack-approvals.js';

/** The controller of the guide. */
@Controller('slack')
export class SlackController {
  constructor(private readonly slack: SlackApprovals) {}

  @Post('interactions')
  interact(
    @Req() { rawBody, headers }: RawBodyRequest<Request>,
    @Res({ passthrough: true }) response: Response,
  ): object | string {
    const { status, body } = this.slack.handle(rawBody, headers);
    response.status(status);
    return body;
  }
}
