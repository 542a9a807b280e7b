import { Injectable, Module } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ApprovalListData } from '#contracts/approvals/approvals.api.js';
import { ApprovalNotifier, type ApprovalNotice } from '#contracts/approvals/approvals.js';
import { GuardrailsApiModule } from '#src/guardrails-api.module.js';
import { refundTool } from '../../support/engine.js';
import { BearerGuard } from '../support/bearer.guard.js';
import { expectError } from '../support/envelope.js';
import { TestHost, TOKEN_SECRET } from '../support/host.js';

/** Where notices arrive, outside the request that parked the call. */
@Injectable()
class Mailbox {
  deliver!: (notice: ApprovalNotice) => void;
  readonly delivered = new Promise<ApprovalNotice>((resolve) => {
    this.deliver = resolve;
  });
}

@Module({ providers: [Mailbox], exports: [Mailbox] })
class MailModule {}

@Injectable()
class MailNotifier extends ApprovalNotifier {
  constructor(private readonly mailbox: Mailbox) {
    super();
  }

  override notify(notice: ApprovalNotice): void {
    this.mailbox.deliver(notice);
  }
}

describe("contract 7.6: the deployer's notifier", () => {
  let host: TestHost;

  afterEach(() => host.stop());

  it('receives the token out of band; no route shows the token, and it decides the call', async () => {
    const tool = refundTool();
    host = await TestHost.start({
      mounts: [
        GuardrailsApiModule.forRoot({
          imports: [MailModule],
          api: { enabled: true, middleware: [BearerGuard] },
          controls: { approvalNotifier: MailNotifier },
          tools: [tool],
          settings: {
            'hitl.enabled': true,
            'hitl.token_secret': TOKEN_SECRET,
            'hitl.token_delivery': 'out_of_band',
          },
        }),
      ],
    });
    const guarded = host.guardrails.guardTool(tool, { runId: 'run-1', principalId: 'customer-42' });
    await guarded.execute({ order: 'A-1182' });
    const { token, ...notice } = await host.application.get(Mailbox, { strict: false }).delivered;
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(notice).toMatchObject({ tool: 'refund', principalId: 'customer-42', runId: 'run-1' });

    const listed = await host.get('/approvals');
    const { pending } = listed.body.data as unknown as ApprovalListData;
    expect(pending).toMatchObject([{ approval_id: notice.approvalId, token: null }]);
    const shown = await host.get(`/approvals/${notice.approvalId}`);
    for (const { text } of [listed, shown]) expect(text).not.toContain(token);

    expectError(
      await host.post(`/approvals/${'A'.repeat(43)}/approve`),
      404,
      'approval-decision',
      'not_found',
    );
    const decided = await host.post(`/approvals/${token}/approve`);
    expect(decided.body.data).toMatchObject({ status: 'executed', approval_id: notice.approvalId });
    expect(tool.calls).toHaveLength(1);
  });
});
