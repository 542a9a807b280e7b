import { describe, expect, it } from '@jest/globals';
import { ONE_APPROVER, type Approval, type ApprovalVote } from '#contracts/approvals/approvals.js';
import { buttonsOf, textsOf } from '../../../test/support/slack-requests.mjs';
import { approvalMessage, isDecidableInSlack, noticeMessage, reasonDialog } from './approval-message.js';

const LINK = 'https://admin.example/guardrails/approvals/12';

const CALL = {
  id: 12,
  tool: 'refund',
  stepName: 'refund',
  status: 'pending',
  arguments: { order: 'A-1182', amount: 40 },
  argumentsDigest: 'a'.repeat(64),
  warnings: [],
  headline: null,
  risk: [],
  reversible: false,
  principalId: 'customer-42',
  application: 'shop',
  editors: [],
  requirement: ONE_APPROVER,
  createdAt: new Date('2026-03-10T12:00:00Z'),
  expiresAt: new Date('2026-03-10T13:00:00Z'),
  decidedBy: null,
  resolvedBy: null,
  supersededBy: null,
  reason: null,
};

function approval(parts: Partial<Approval> = {}): Approval {
  return { ...CALL, ...parts } as unknown as Approval;
}

const message = (parts: Partial<Approval> = {}, content: 'none' | 'arguments' = 'arguments') =>
  approvalMessage({ approval: approval(parts), votes: [], link: LINK }, content);
const actions = (parts: Partial<Approval>, content?: 'none') =>
  buttonsOf(message(parts, content)).map(({ action_id }) => action_id);

interface ShownBlock {
  readonly type: string;
  readonly text?: { readonly text: string };
  readonly fields?: readonly { readonly text: string }[];
}

const DECIDES = ['guardrails_approve', 'guardrails_reject', 'guardrails_open'];

describe('the message of a waiting call', () => {
  it('shows the call, its requester and its end', () => {
    expect(textsOf(message())).toBe(
      [
        'Approval needed: refund',
        'Approval\n12',
        'Requested by\ncustomer-42',
        'Application\nshop',
        'Reversible\nno',
        'Requested at\n2026-03-10 12:00 UTC',
        'Expires at\n2026-03-10 13:00 UTC',
        '{\n  "order": "A-1182",\n  "amount": 40\n}',
        'Waits for a decision.',
        'Approve',
        'Reject',
        'Open in the panel',
      ].join('\n'),
    );
  });

  it('contains plain texts only', () => {
    const hostile = '<!channel> <@U1> <https://evil.example|here> *bold* :tada: &amp;';
    const parts = { tool: hostile, principalId: hostile, arguments: { hostile }, reason: hostile };
    const { text, blocks } = message(parts);
    expect(JSON.stringify(blocks)).not.toContain('mrkdwn');
    const objects = JSON.stringify(blocks).match(/"type":"plain_text"/g) ?? [];
    expect(JSON.stringify(blocks).match(/"emoji":false/g)).toHaveLength(objects.length);
    expect(text).not.toMatch(/<|>/);
    expect(text).toContain('&lt;!channel&gt; &lt;@U1&gt;');
  });

  it('shows hidden characters, direction changes and line ends in names', () => {
    const texts = textsOf(
      message({ principalId: 'ops\u202e-1\u200b\nApproved by ops-2', tool: 're\u00a0fund' }),
    );
    expect(texts).toContain('Requested by\nops\\u{202e}-1\\u{200b}\\nApproved by ops-2');
    expect(texts).toContain('Approval needed: re\\u{a0}fund');
    expect(textsOf(message({ arguments: { note: 'a\u0085b\nc' } }))).toContain('"note": "a\\u{85}b\\nc"');
  });

  it('has buttons only where all of it is shown', () => {
    expect(actions({})).toEqual(DECIDES);
    expect(actions({}, 'none')).toEqual(['guardrails_open']);
    expect(actions({ warnings: ['"order" contains markup.'] })).toEqual(['guardrails_open']);
    expect(actions({ arguments: null })).toEqual(['guardrails_open']);
    expect(actions({ principalId: 'x'.repeat(2000) })).toEqual(['guardrails_open']);
    expect(actions({ tool: 'x'.repeat(150) })).toEqual(['guardrails_open']);
  });

  it.each([
    ['letters', 'x'],
    ['characters that Slack may count as escapes', '&'],
    ['hidden characters, which are shown as escapes', '\u00ad'],
  ])('has buttons up to 3,000 characters of arguments: %s', (_, letter) => {
    const longest = (count: number) => ({ arguments: { note: letter.repeat(count) } });
    let count = 0;
    while (isDecidableInSlack(approval(longest(count + 1)), 'arguments')) count += 1;
    const shown = textsOf(message(longest(count)));
    expect(shown).toContain('"note"');
    expect(count).toBe(
      Math.floor((3000 - '{\n  "note": ""\n}'.length) / { x: 1, '&': 5, '\u00ad': 6 }[letter]!),
    );
    expect(actions(longest(count))).toEqual(DECIDES);
    expect(actions(longest(count + 1))).toEqual(['guardrails_open']);
    expect(textsOf(message(longest(count + 1)))).not.toContain('"note"');
  });

  it('names the warnings, and with content none neither warnings nor reasons', () => {
    const parts = { warnings: ['"order" contains markup.'], reason: 'of a customer' };
    expect(textsOf(message(parts))).toContain('"order" contains markup.');
    expect(textsOf(message(parts, 'none'))).not.toMatch(/order|markup|of a customer/);
  });

  it('begins with the risks; with content none without values, and their sentences forbid no decision', () => {
    const risk: Approval['risk'] = [
      { name: 'suspect_run', text: 'This run read a text that gives orders to the assistant (entry 2017).' },
      { name: 'unvouched_value', text: 'Nobody vouched for "a\u202e@b.example\nApproved" in "to".' },
      { name: 'unvouched_value', text: 'Nobody vouched for "c" in "to".' },
    ];
    expect(textsOf(message({ risk }))).toMatch(
      /^Approval needed: refund\nThis run .*\(entry 2017\)\.\nNobody vouched for "a\\u\{202e\}@b\.example\\nApproved" in "to"\.\nNobody .*\nApproval\n12/,
    );
    expect(actions({ risk })).toEqual(DECIDES);
    expect(textsOf(message({ risk }, 'none'))).toMatch(
      /^Approval needed: refund\nThe run read a text that gives orders to the assistant\.\nNobody vouched for an argument\.\nApproval\n12/,
    );
    const many = Array.from({ length: 50 }, (_, index) => ({
      name: 'unvouched_value' as const,
      text: `Nobody vouched for "${'x'.repeat(100)}${index}" in "to".`,
    }));
    expect(actions({ risk: many })).toEqual(['guardrails_open']);
  });

  it('keeps every text within the limits of Slack', () => {
    const long = 'ä<&\u200b'.repeat(2000);
    const { text, blocks } = message({
      tool: long,
      principalId: long,
      application: long,
      stepName: long,
      editors: [long],
      requirement: { ...ONE_APPROVER, approvers: 2, group: long },
      warnings: Array.from({ length: 50 }, () => long),
      reason: long,
    });
    const limits: Readonly<Record<string, number>> = { header: 150, section: 3000 };
    for (const { type, text: own, fields = [] } of blocks as readonly ShownBlock[]) {
      expect(own?.text.length ?? 0).toBeLessThanOrEqual(limits[type] ?? 0);
      expect(fields.length).toBeLessThanOrEqual(10);
      for (const field of fields) expect(field.text.length).toBeLessThanOrEqual(2000);
    }
    expect(text.length).toBeLessThanOrEqual(3000);
  });

  it('opens a dialog to approve where a reason is required', () => {
    expect(actions({ requirement: { ...ONE_APPROVER, isReasonRequired: true } })).toEqual([
      'guardrails_approve_with_reason',
      'guardrails_reject',
      'guardrails_open',
    ]);
    const call = { approvalId: 12, argumentsDigest: 'a'.repeat(64) };
    const dialog = reasonDialog({ verdict: 'rejected', call, place: { channel: 'C1', ts: '1.2' } });
    expect(dialog).toMatchObject({
      title: { text: 'Reject 12' },
      private_metadata: `rejected 12.${'a'.repeat(64)} C1 1.2`,
    });
  });
});

describe('the message of a decided call', () => {
  it.each<readonly [Partial<Approval>, string]>([
    [{ status: 'approved', decidedBy: 'ops-1' }, 'Approved by ops-1. The call has not run yet.'],
    [{ status: 'executing', decidedBy: 'ops-1' }, 'Approved by ops-1. The call is running.'],
    [{ status: 'executed', decidedBy: 'ops-1' }, 'Approved by ops-1. The call ran.'],
    [{ status: 'failed', decidedBy: 'ops-1' }, 'Approved by ops-1. The tool failed.'],
    [{ status: 'failed', decidedBy: 'ops-1', resolvedBy: 'ops-2' }, 'The tool failed. Resolved by ops-2.'],
    [{ status: 'outcome_unknown', decidedBy: 'ops-1' }, 'The outcome is unknown: check it'],
    [
      { status: 'rejected', decidedBy: 'ops-1', reason: 'not due' },
      'Rejected by ops-1. The call did not run.\nReason: not due',
    ],
    [{ status: 'expired' }, 'Expired before it was decided.'],
    [{ status: 'superseded', supersededBy: 13 }, 'the call was edited. Approval 13 waits in its place.'],
    [{ status: 'superseded' }, 'or it was not run in time. It did not run.'],
  ])('has no button to decide: %j', (parts, words) => {
    expect(textsOf(message(parts))).toContain(words);
    expect(actions(parts)).toEqual(['guardrails_open']);
  });

  it('names who rejected it, not who voted before', () => {
    const votes = [{ actorId: 'ops-1' }] as unknown as ApprovalVote[];
    const shown = { approval: approval({ status: 'rejected', decidedBy: 'ops-2' }), votes, link: null };
    expect(textsOf(approvalMessage(shown, 'none'))).toContain('Rejected by ops-2. The call did not run.');
  });

  it('has no link without a panel', () => {
    const shown = { approval: approval({ status: 'expired' }), votes: [], link: null };
    expect(buttonsOf(approvalMessage(shown, 'none'))).toEqual([]);
    expect(buttonsOf(noticeMessage(shown, true))).toEqual([]);
  });
});
