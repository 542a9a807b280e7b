import type { ApprovalStatus, ApprovalVerdict } from '#contracts/approvals/approvals.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { TestClient, type Answer } from '../http/support/client.js';
import { clickOn, formOf, signed, submitted } from '../support/slack-requests.mjs';
import { userOf } from './slack-host.js';
import type { CrashingInstance } from './crashing-instance.js';
import type { Scene, Waiting } from './scene.js';

export interface Decision {
  readonly verdict: ApprovalVerdict;
  readonly actor: string;
  readonly reason?: string;
}

/** Whether a decision was refused, and the status of the call afterwards. */
export interface Achieved {
  readonly refused: boolean;
  readonly status: ApprovalStatus;
}

/** A way to decide a call. */
export interface Way {
  readonly name: string;
  readonly decide: (call: Waiting, decision: Decision) => Promise<Achieved>;
  /** Sends the same decision to an instance that is killed by it. */
  readonly decideOn: (instance: CrashingInstance, call: Waiting, decision: Decision) => Promise<void>;
}

export const overHttp = (scene: () => Scene): Way => ({
  name: 'HTTP',
  async decide(call, { verdict, actor, reason = null }) {
    const answer = await scene().host.post(
      routeOf(call, verdict),
      { reason },
      { as: encodeURIComponent(actor) },
    );
    return { refused: answer.status !== 200, status: await scene().statusOf(call) };
  },
  async decideOn(instance, call, { verdict, actor, reason }) {
    const client = new TestClient(instance.origin);
    await client.post(routeOf(call, verdict), { reason }, { as: actor }).catch(() => null);
  },
});

export const fromCode = (scene: () => Scene): Way => ({
  name: 'code',
  async decide(call, { verdict, actor, reason = null }) {
    const refused = await scene()
      .approvals.decide(call.approvalId, { verdict, actor, reason })
      .then(() => false, isRefusal);
    return { refused, status: await scene().statusOf(call) };
  },
  async decideOn(instance, { approvalId }, decision) {
    instance.send({ approvalId, decision });
  },
});

export const inSlack = (scene: () => Scene): Way => ({
  name: 'Slack',
  async decide({ approvalId, message }, { verdict, actor, reason }) {
    const { slack, slackApprovals, host } = scene();
    const by = { user: userOf(actor) };
    const [whispers, dialogs] = [slack.whispers.length, slack.dialogs.length];
    const label = verdict === 'approved' ? 'Approve' : 'Reject';
    await sendToSlackRoute(host, signed(formOf(clickOn(message, label, by))));
    await slackApprovals.idle();
    if (slack.dialogs.length > dialogs)
      await sendToSlackRoute(host, signed(formOf(submitted(slack.dialogs.at(-1), reason ?? '', by))));
    await slackApprovals.idle();
    return { refused: slack.whispers.length > whispers, status: await scene().statusOf({ approvalId }) };
  },
  async decideOn(instance, { message }, { actor }) {
    const click = signed(formOf(clickOn(message, 'Approve', { user: userOf(actor) })));
    await sendToSlackRoute(new TestClient(instance.origin), click);
  },
});

export function sendToSlackRoute(
  client: TestClient,
  { body, headers }: ReturnType<typeof signed>,
): Promise<Answer> {
  return client.raw('POST', '/slack/interactions', { as: null, headers, body });
}

function routeOf({ token }: Waiting, verdict: ApprovalVerdict): string {
  return `/approvals/${token}/${verdict === 'approved' ? 'approve' : 'reject'}`;
}

function isRefusal(error: unknown): true {
  if (error instanceof GuardrailsError) return true;
  throw error;
}
