import { Controller, Post, Req, Res, type ModuleMetadata, type RawBodyRequest } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Approvals } from '#engine/approvals/approvals.js';
import { SlackApprovals } from '#slack/slack-approvals.js';
import { SIGNING_SECRET } from '../support/slack-requests.mjs';

/** The Slack user of a person. `actorOf` below returns `null` for every other user. */
export const userOf = (actor: string): string => `U-${encodeURIComponent(actor)}`;

/** What the crashing instance needs, too. */
export const slackOptions = (apiUrl: string) => ({
  signingSecret: SIGNING_SECRET,
  botToken: 'xoxb-test',
  channel: 'C0APPROVALS',
  content: 'arguments' as const,
  apiUrl,
});

export function slackApprovals(apiUrl: string): SlackApprovals {
  return new SlackApprovals({
    ...slackOptions(apiUrl),
    actorOf: (_team, user) => (user.startsWith('U-') ? decodeURIComponent(user.slice(2)) : null),
    mayDecide: () => true,
    warn: () => undefined,
  });
}

/** The controller of the guide. */
@Controller('slack')
class SlackController {
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

export function slackRoute(slack: SlackApprovals): ModuleMetadata {
  const useFactory = (approvals: Approvals): SlackApprovals => slack.connect(approvals);
  return {
    controllers: [SlackController],
    providers: [{ provide: SlackApprovals, inject: [Approvals], useFactory }],
  };
}
