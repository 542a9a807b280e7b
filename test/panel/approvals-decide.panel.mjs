import assert from 'node:assert/strict';
import { seriousFindings } from './accessibility.panel.mjs';
import { confirm, press, see, sendNow, withApprovals } from './approvals-host.mjs';

export const hasOwnHosts = true;

const REFUND = { amount: 39, order: 'A-1160' };

export const cases = {
  async 'a call appears in the queue and in the title, and is removed when it is approved'(stage) {
    await withApprovals(stage, async (host) => {
      const page = await host.show(await host.browse('ops-1'), '/approvals');
      await see(page, 'Nothing waits for a decision.');
      await page.getByText('live', { exact: true }).waitFor();
      const id = await host.park('refund', REFUND);
      await page.getByRole('link', { name: 'refund: amount 39 · order A-1160' }).click();
      await page.waitForURL(new RegExp(`/approvals/${id}$`));
      await page.waitForFunction(() => document.title.startsWith('(1) '));
      await press(page, 'Approve');
      await see(page, 'You approved this call, and it ran.');
      await see(page, 'Paid 39 euros back.');
      await page.waitForFunction(() => !document.title.startsWith('('));
      assert.deepEqual(host.runs, [REFUND]);
    });
  },

  async 'a call that cannot be undone needs a second press, which repeats tool and arguments'(stage) {
    await withApprovals(stage, async (host) => {
      const id = await host.park('refund', REFUND);
      const page = await host.open('ops-1', id);
      await page.getByRole('button', { name: 'Approve…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('This cannot be undone.').waitFor();
      await dialog.getByText('It runs at once, unless a freeze holds it.').waitFor();
      await dialog.getByRole('button', { name: /^Approve.*refund/ }).waitFor();
      for (const [name, value] of Object.entries(REFUND))
        await dialog.getByRole('row', { name: `${name} ${value}` }).waitFor();
      assert.equal((await host.stored(id)).status, 'pending');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.equal((await host.stored(id)).status, 'pending');
      assert.deepEqual(host.runs, []);
    });
  },

  async 'the second press shows every argument, also those that its line has no room for'(stage) {
    await withApprovals(stage, async (host) => {
      const given = { a: 1, b: 2, c: 3, d: 4, account: 'DE-hidden', note: { inner: 'nested value' } };
      const id = await host.park('refund', given);
      const page = await host.open('ops-1', id, { isPhone: true });
      await page.getByRole('button', { name: /^Approve/ }).click();
      const dialog = page.getByRole('dialog');
      for (const value of ['DE-hidden', 'nested value']) await dialog.getByText(value).waitFor();
    });
  },

  async 'two concurrent clicks: one decides, and both show who decided'(stage) {
    await withApprovals(stage, async (host) => {
      const id = await host.park('refund', REFUND);
      const [one, other] = await Promise.all([host.open('ops-1', id), host.open('ops-2', id)]);
      for (const page of [one, other]) await page.getByRole('button', { name: 'Approve…' }).click();
      await Promise.all([confirm(one), confirm(other)]);
      await Promise.race([one, other].map((page) => see(page, 'You approved this call')));
      const { decided_by: winner } = await host.stored(id);
      const loser = winner === 'ops-1' ? other : one;
      await see(loser, new RegExp(`${winner} approved this call at|The call was approved and runs now`));
      for (const page of [one, other]) {
        await page.keyboard.press('Escape');
        await see(page.locator('.card', { hasText: 'Outcome' }), winner);
      }
      assert.equal(host.runs.length, 1);
    });
  },

  async 'a second click after a lost response makes one decision and one run'(stage) {
    await withApprovals(stage, async (host) => {
      const id = await host.park('refund', REFUND);
      const page = await host.open('ops-1', id);
      await page.route(
        '**/approve',
        async (route) => {
          await route.fetch();
          await route.abort('connectionreset');
        },
        { times: 1 },
      );
      await press(page, 'Approve');
      await see(page, 'The answer of the server was lost.');
      await confirm(page);
      await see(page, 'You approved this call, and it ran.');
      await see(page, 'This is the stored outcome: nothing was decided or run twice.');
      assert.ok(
        await page
          .getByRole('status')
          .filter({ hasText: 'it ran' })
          .evaluate((one) => one === document.activeElement),
      );
      assert.equal(host.runs.length, 1);
      assert.equal((await host.stored(id)).attempts, 1);
    });
  },

  async 'two approvers: the reason is required, one vote counts once, and the second one runs the call'(
    stage,
  ) {
    await withApprovals(stage, async (host) => {
      const id = await host.park('transfer', { amount: 900 }, { principal: 'ops-3' });
      const [one, other, requester] = await Promise.all(
        ['ops-1', 'ops-2', 'ops-3'].map((user) => host.open(user, id)),
      );
      await see(one, '2 more approvals needed');
      await see(requester, 'You requested or edited this call.');
      assert.ok(await requester.getByRole('button', { name: 'Approve…' }).isDisabled());
      assert.ok(await requester.getByRole('button', { name: 'Reject…' }).isEnabled());

      await press(one, 'Approve');
      await see(one, 'It does not run yet: 1 more approval must follow, by another person.');
      assert.ok(await one.locator('dialog textarea').evaluate((field) => field.validity.valueMissing));
      await one.locator('dialog textarea').fill('checked');
      await confirm(one);
      await see(one, 'Your approval counts. 1 more approval needed');
      await see(one, '1 more approval needed, from another person; the requester does not count.');
      await see(one, 'You approved this call already.');
      assert.ok(await one.getByRole('button', { name: 'Approve…' }).isDisabled());

      await see(other, '1 of 2 approvals given');
      await press(other, 'Approve', 'checked as well');
      await see(other, 'You approved this call, and it ran.');
      await see(requester, 'Paid 900 euros back.');
      await requester.getByRole('link', { name: 'History' }).click();
      await see(requester, /approved by ops-1 .+, approved by ops-2 /);
      assert.equal(host.runs.length, 1);
    });
  },

  async 'an approval of a call that its requester has rejected shows who rejected it'(stage) {
    await withApprovals(stage, async (host) => {
      const id = await host.park('transfer', { amount: 900 }, { principal: 'ops-3' });
      const page = await host.open('ops-1', id, { bypassCSP: true });
      await page.getByRole('button', { name: 'Approve…' }).click();
      await page.locator('dialog textarea').fill('checked');
      await host.decide('ops-3', id, 'reject');
      await confirm(page);
      await see(page, /ops-3 rejected this call at/);
      await see(page, 'Nothing was changed.');
      assert.deepEqual(await seriousFindings(page), []);
    });
  },

  async 'only members of the group of a call can approve it'(stage) {
    await withApprovals(stage, async (host) => {
      const id = await host.park('grouped', { amount: 3 });
      const outsider = await host.open('ops-2', id);
      await see(outsider, 'You may not decide this call.');
      await see(outsider, 'from members of finance');
      assert.ok(await outsider.getByRole('button', { name: 'Approve…' }).isDisabled());
      const member = await host.open('ops-1', id);
      await press(member, 'Approve');
      await see(member, 'You approved this call, and it ran.');
    });
  },

  async 'several calls are rejected with one reason, and one that was decided meanwhile is named'(stage) {
    await withApprovals(stage, async (host) => {
      const ids = [];
      for (const amount of [1, 2, 3]) ids.push(await host.park('refund', { amount }));
      const page = await host.show(await host.browse('ops-1'), '/approvals');
      for (const id of ids) await page.getByLabel(`Select approval ${id} for rejection`).check();
      assert.equal(await page.getByRole('button', { name: /^Approve/ }).count(), 0);
      await page.getByRole('button', { name: 'Reject 3 calls…' }).click();
      await page.locator('dialog textarea').fill('a wave of abuse');
      await host.decide('ops-2', ids[1], 'approve');
      await page.clock.install();
      await confirm(page);
      await sendNow(page);
      const failure = page.getByRole('alert');
      await see(failure, new RegExp(`^Approval ${ids[1]}: ops-2 approved this call`));
      await failure.getByRole('button', { name: 'Close' }).click();
      await see(page, 'Nothing waits for a decision.');
      const found = await Promise.all(ids.map((id) => host.stored(id)));
      assert.deepEqual(
        found.map(({ status }) => status),
        ['rejected', 'executed', 'rejected'],
      );
      await host.show(page, '/approvals?tab=history');
      assert.equal(await page.locator('.queue-item').count(), 3);
      await host.show(page, `/approvals/${await host.park('refund', REFUND)}`);
      const chip = page.getByRole('button', { name: 'a wave of abuse' });
      await page.getByRole('button', { name: 'Reject…' }).click();
      await see(page, 'The rejection is sent in 10 seconds. Until then you can take it back.');
      await chip.waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Approve…' }).click();
      await page.getByRole('dialog').waitFor();
      assert.equal(await chip.count(), 0, 'a reason of rejections is offered');
    });
  },

  async 'a rejection that is taken back sends nothing, and the call can be approved'(stage) {
    await withApprovals(stage, async (host) => {
      const id = await host.park('refund', REFUND);
      const page = await host.open('ops-1', id);
      const sent = rejectionsOf(page);
      await page.clock.install();
      await page.getByRole('button', { name: 'Reject…' }).click();
      await confirm(page);
      await see(page, /^Approval \d+ \(refund\) will be rejected in \d+ s\.$/);
      assert.equal(await page.getByRole('button', { name: 'Approve…' }).count(), 0);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await see(page, 'The rejection was taken back. Nothing was sent.');
      await page.clock.fastForward(20_000);
      await press(page, 'Approve');
      await see(page, 'You approved this call, and it ran.');
      assert.deepEqual(sent, []);
    });
  },

  async 'a rejection can be taken back while a window is open'(stage) {
    await withApprovals(stage, async (host) => {
      const page = await host.open('ops-1', await host.park('refund', REFUND));
      const sent = rejectionsOf(page);
      await page.getByRole('button', { name: 'Reject…' }).click();
      await confirm(page);
      await page.getByRole('button', { name: 'Undo' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
      await page.keyboard.press('Escape');
      await see(page, 'The rejection was taken back. Nothing was sent.');
      await page.getByRole('button', { name: 'Reject…' }).waitFor();
      assert.deepEqual(sent, []);
    });
  },

  async 'a rejection waits ten seconds on any screen, and is sent once'(stage) {
    await withApprovals(stage, async (host) => {
      const id = await host.park('refund', REFUND);
      const page = await host.open('ops-1', id);
      const sent = rejectionsOf(page);
      await page.clock.install();
      await page.getByRole('button', { name: 'Reject…' }).click();
      await confirm(page);
      await page.getByRole('link', { name: 'Rules' }).first().click();
      await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await page.clock.fastForward(5_000);
      assert.deepEqual(sent, []);
      await sendNow(page);
      await see(page, 'You rejected this call. It will not run.');
      assert.equal((await host.stored(id)).status, 'rejected');
      await page.clock.fastForward(20_000);
      assert.equal(sent.length, 1);
    });
  },

  async 'leaving or closing the page sends a rejection that waits'(stage) {
    await withApprovals(stage, async (host) => {
      for (const leave of [(page) => page.goto('about:blank'), (page) => page.close()]) {
        const id = await host.park('refund', REFUND);
        const page = await host.open('ops-1', id);
        await page.getByRole('button', { name: 'Reject…' }).click();
        await confirm(page);
        await page.getByRole('button', { name: 'Undo' }).waitFor();
        await leave(page);
        const other = await host.open('ops-2', id);
        await see(other.locator('.card', { hasText: 'Outcome' }), 'ops-1');
        assert.equal((await host.stored(id)).status, 'rejected');
      }
    });
  },
};

/** The addresses of the rejections that the page sends. */
function rejectionsOf(page) {
  const sent = [];
  page.on('request', (request) => request.url().endsWith('/reject') && sent.push(request.url()));
  return sent;
}
