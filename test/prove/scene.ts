import { UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { ApprovalListData, ApprovalProposalData } from '#contracts/approvals/approvals.api.js';
import { ApproverGroups, type Approval, type ApprovalStatus } from '#contracts/approvals/approvals.js';
import type { ParkedCall, Tool, ToolArguments, ToolCallOutcome } from '#contracts/firewall/firewall.js';
import type { Guardrails } from '#engine/guardrails.js';
import { Approvals } from '#engine/controls/approvals/approvals.js';
import { typeormStores } from '#stores/typeorm/typeorm-stores.js';
import { TestHost, TOKEN_SECRET } from '../http/support/host.js';
import { freshDatabase, onServer, type FreshDatabase } from '../postgres/database.js';
import { SlackApprovals } from '#slack/slack-approvals.js';
import { FakeSlack, type PostedMessage } from '../support/fake-slack.mjs';
import { CrashingInstance } from './crashing-instance.js';
import { slackApprovals, slackOptions, slackRoute } from './slack-host.js';

/** Two approvers, and the customer for whom the model calls tools. */
export const FIRST = 'ops-1';
export const SECOND = 'ops-2';
export const REQUESTER = 'customer-42';

/** The bearer token is the id of the person. */
class TokenIsTheId implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ headers: { authorization?: string }; user?: unknown }>();
    const id = decodeURIComponent(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (![FIRST, SECOND, REQUESTER].includes(comparable(id))) throw new UnauthorizedException();
    request.user = { id };
    return true;
  }
}

const comparable = (id: string): string => id.trim().toLowerCase();

/** The group of the approvers, who can lose their membership. */
class Finance extends ApproverGroups {
  readonly left = new Set<string>();

  override isMember(actorId: string): boolean {
    return !this.left.has(actorId);
  }
}

const TWO_OF_FINANCE = { require: 'approval', approvers: 2, group: 'finance' } as const;

const POLICIES = {
  refund: {
    rules: [
      { when: { '/euros': { lte: 50 } }, require: 'allow' },
      { when: { '/euros': { lte: 500 } }, require: 'approval' },
      TWO_OF_FINANCE,
    ],
  },
} as const;

/** The policy after the change: refunds above 50 euros are denied. */
export const STRICTER = {
  refund: { rules: [{ when: { '/euros': { lte: 50 } }, require: 'allow' }, { require: 'deny' }] },
};

export const SETTINGS = {
  'hitl.enabled': true,
  'hitl.four_eyes': true,
  'hitl.max_open_per_principal': 200,
  'hitl.policies': POLICIES,
  'hitl.policies_overridable': true,
  'events.panel_url': 'https://admin.example',
};

/** A waiting call, as an approver sees it. */
export interface Waiting {
  readonly approvalId: number;
  readonly token: string;
  readonly parked: ParkedCall;
  /** The message in Slack, as it was posted. */
  readonly message: PostedMessage;
}

/** A host over PostgreSQL with a tool that records every run. */
export class Scene {
  readonly ran: ToolArguments[] = [];
  readonly finance = new Finance();
  readonly refund: Tool = {
    name: 'refund',
    parameters: {
      type: 'object',
      properties: { euros: { type: 'number' } },
      required: ['euros'],
      additionalProperties: false,
    },
    execute: (args) => {
      this.ran.push(args);
      return { paid: args['euros'] };
    },
  };
  host!: TestHost;
  private runs = 0;

  readonly slack = new FakeSlack();

  private constructor(private readonly database: FreshDatabase) {}

  static async open(): Promise<Scene> {
    const scene = new Scene(await freshDatabase());
    await scene.slack.start();
    scene.host = await scene.startHost();
    return scene;
  }

  startHost(): Promise<TestHost> {
    const slack = slackApprovals(this.slack.apiUrl);
    return TestHost.start({
      api: { middleware: [TokenIsTheId] },
      guardrails: {
        stores: typeormStores({ url: this.database.url, poolSize: 5 }),
        settings: SETTINGS,
        tools: [this.refund],
        controls: { approverGroups: this.finance },
        sinks: [slack],
      },
      host: slackRoute(slack),
      nest: { rawBody: true },
    });
  }

  async close(): Promise<void> {
    await this.host.stop();
    await this.slack.stop();
    await this.database.drop();
  }

  get approvals(): Approvals {
    return this.host.application.get(Approvals, { strict: false });
  }

  get slackApprovals(): SlackApprovals {
    return this.host.application.get(SlackApprovals, { strict: false });
  }

  get guardrails(): Guardrails {
    return this.host.guardrails;
  }

  /** Calls the tool as the model does, in a new run or in the given one. */
  call(args: object, runId = this.newRun()): Promise<ToolCallOutcome> {
    return this.guardrails.guardTool(this.refund, { principalId: REQUESTER, runId }).execute(args);
  }

  /** Parks a call. An approver looks at it, so that the answer has its token. */
  async park(euros: number, runId?: string): Promise<Waiting> {
    const outcome = await this.call({ euros }, runId);
    if (outcome.status !== 'parked') throw new Error(`The call is ${outcome.status}.`);
    return this.waiting(outcome.parked.approvalId, outcome.parked);
  }

  private async waiting(id: number, parked: ParkedCall): Promise<Waiting> {
    const { pending } = (await this.host.get('/approvals', { as: FIRST })).body
      .data as unknown as ApprovalListData;
    const item = pending.find(({ approval_id }) => approval_id === id);
    if (item?.token == null) throw new Error(`The approval ${id} is not listed.`);
    const message = await this.slack.until(() =>
      this.slack.messages.find(({ metadata }) => metadata?.event_payload.approval_id === id),
    );
    return { approvalId: id, token: item.token, parked, message: structuredClone(message) };
  }

  /** An operator replaces a call by one with another amount. */
  async edit({ approvalId, parked }: Waiting, euros: number): Promise<Waiting> {
    const body = { arguments: { euros }, reason: 'The agreed amount.' };
    const answer = await this.host.post(`/approvals/${approvalId}/propose`, body, { as: FIRST });
    if (answer.status !== 200) throw new Error(answer.text);
    return this.waiting((answer.body.data as unknown as ApprovalProposalData).approval_id, parked);
  }

  newRun(): string {
    return `run-${++this.runs}`;
  }

  async find({ approvalId }: Pick<Waiting, 'approvalId'>): Promise<Approval> {
    const found = await this.approvals.find(approvalId);
    if (found === null) throw new Error(`There is no approval ${approvalId}.`);
    return found;
  }

  async statusOf(call: Pick<Waiting, 'approvalId'>): Promise<ApprovalStatus> {
    return (await this.find(call)).status;
  }

  /** Replaces policies, like an operator; `null` restores the configured ones. */
  async setPolicies(policies: object | null): Promise<void> {
    const answer = await this.host.put(
      '/settings',
      { settings: { 'hitl.policies': policies } },
      { as: FIRST },
    );
    if (answer.status !== 200) throw new Error(answer.text);
  }

  /** Starts another instance in a process that is killed while it runs the call of a decision. */
  async crashingInstance(): Promise<CrashingInstance> {
    // oxlint-disable-next-line typescript/unbound-method -- it is left out, not called
    const { execute: _, ...tool } = this.refund;
    return CrashingInstance.start({
      url: this.database.url,
      settings: { ...SETTINGS, 'hitl.token_secret': TOKEN_SECRET },
      tool,
      slack: slackOptions(this.slack.apiUrl),
    });
  }

  /** Starts and stops another instance, which recovers abandoned calls at its start, until the call has ended. */
  async recover(call: Waiting): Promise<void> {
    const other = await this.startHost();
    await this.guardrails.approvalOutcome(call.approvalId);
    await other.stop();
  }

  /** Changes times of an approval, as if time had passed. */
  async elapse(column: 'expires_at' | 'lease_until', { approvalId }: Waiting): Promise<void> {
    const past = `update guardrails_approvals set ${column} = clock_timestamp() - interval '1 second' where id = $1`;
    await onServer((server) => server.query(past, [approvalId]), this.database.url);
  }
}
