import type { ModuleMetadata } from '@nestjs/common';
import { Approvals } from '#engine/controls/approvals/approvals.js';
import { SlackApprovals } from '#slack/slack-approvals.js';
import { SlackController } from '../support/slack.controller.js';
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

export function slackRoute(slack: SlackApprovals): ModuleMetadata {
  const useFactory = (approvals: Approvals): SlackApprovals => slack.connect(approvals);
  return {
    controllers: [SlackController],
    providers: [{ provide: SlackApprovals, inject: [Approvals], useFactory }],
  };
}
