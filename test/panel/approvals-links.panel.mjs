import assert from 'node:assert/strict';
import { confirm, press, see, withApprovals } from './approvals-host.mjs';
import { settled } from './stage.mjs';

export const hasOwnHosts = true;

const OUT_OF_BAND = { settings: { 'hitl.token_delivery': 'out_of_band' } };

export const cases = {
  async 'the token of a link is removed from the address and stored nowhere; opening decides nothing'(stage) {
    const work = async (host) => {
      const id = await host.park('refund', { amount: 5 });
      const token = await host.pager.tokenOf(id);
      const page = await host.browse('ops-1');
      const sent = [];
      page.on('request', (request) => sent.push(request.url()));
      await page.addInitScript(rememberWipe);
      await page.goto(`/guardrails/panel/approvals/${id}#token=${token}`);
      await settled(page);
      assert.ok(!page.url().includes('#'));
      assert.deepEqual(await page.evaluate(() => window.atWipe), { elements: 0, requests: [] });
      assert.ok(!(await page.content()).includes(token));
      const { origins } = await page.context().storageState();
      const inTab = await page.evaluate(() => JSON.stringify(sessionStorage));
      assert.ok(!`${JSON.stringify(origins)}${inTab}`.includes(token));
      assert.equal((await host.stored(id)).status, 'pending');
      assert.ok(sent.every((address) => !address.includes(token)));

      await page.getByRole('button', { name: 'Approve…' }).click();
      assert.equal(await page.getByLabel('Token from the notification').count(), 0);
      assert.equal((await host.stored(id)).status, 'pending');
      await confirm(page);
      await see(page, 'You approved this call, and it ran.');
      assert.deepEqual(host.runs, [{ amount: 5 }]);
    };
    await withApprovals(stage, work, OUT_OF_BAND);
  },

  async 'a link to one call with the token of another decides neither'(stage) {
    const work = async (host) => {
      const [shown, other] = [
        await host.park('refund', { amount: 5 }),
        await host.park('refund', { amount: 6000 }),
      ];
      const page = await host.browse('ops-1');
      await host.show(page, `/approvals/${shown}#token=${await host.pager.tokenOf(other)}`);
      await press(page, 'Approve');
      await see(page.getByRole('dialog'), 'This token does not belong to this call. Nothing was decided.');
      await page.keyboard.press('Escape');
      await press(page, 'Reject');
      await see(page.getByRole('alert'), 'This token does not belong to this call. Nothing was decided.');
      assert.equal((await host.stored(shown)).status, 'pending');
      assert.equal((await host.stored(other)).status, 'pending');
      assert.deepEqual(host.runs, []);
    };
    await withApprovals(stage, work, OUT_OF_BAND);
  },

  async 'without a link, the page asks for the token, and a wrong one can be corrected'(stage) {
    const work = async (host) => {
      const id = await host.park('refund', { amount: 5 });
      const page = await host.open('ops-1', id);
      await page.getByRole('button', { name: 'Approve…' }).click();
      const token = page.getByLabel('Token from the notification');
      await token.fill('wrong');
      await confirm(page);
      await see(page.getByRole('dialog'), 'This token does not belong to this call.');
      await token.fill(await host.pager.tokenOf(id));
      await confirm(page);
      await see(page, 'You approved this call, and it ran.');
    };
    await withApprovals(stage, work, OUT_OF_BAND);
  },

  async 'a call is found, read and decided by keyboard alone'(stage) {
    await withApprovals(stage, async (host) => {
      const id = await host.park('refund', { amount: 7 });
      const page = await host.show(await host.browse('ops-1'), '/');
      await page.keyboard.press('g');
      await page.keyboard.press('p');
      await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
      await tabTo(page, 'refund: amount 7');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Approve…' }).waitFor();
      await page.keyboard.press('a');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal((await host.stored(id)).status, 'pending');
      await tabTo(page, 'Approve…');
      await page.keyboard.press('Enter');
      await tabTo(page, /^Approve.*refund/);
      await page.keyboard.press('Enter');
      await see(page, 'You approved this call, and it ran.');
      assert.match(await focusedText(page), /it ran/);
    });
  },

  async 'a notification of the browser shows the number of calls and no content'(stage) {
    await withApprovals(stage, async (host) => {
      const page = await host.browse('ops-1');
      await page.context().grantPermissions(['notifications'], { origin: host.url });
      await page.addInitScript(recordNotifications);
      await host.show(page, '/approvals');
      await page.getByRole('button', { name: 'Notify me in this browser' }).click();
      await host.show(page, '/audit');
      await page.getByText('live', { exact: true }).waitFor();
      const title = (count) =>
        page.waitForFunction((waiting) => document.title.startsWith(`(${waiting}) `), count);
      await host.park('refund', { amount: 11 });
      await title(1);
      assert.deepEqual(await page.evaluate(() => window.shown), []);
      await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }));
      await host.park('refund', { amount: 12, secret: 'x' });
      await title(2);
      assert.deepEqual(await page.evaluate(() => window.shown), ['Guardrails: 2 calls to decide']);
    });
  },
};

/** Records what the page had shown and sent at its first change of address. */
function rememberWipe() {
  const replace = history.replaceState.bind(history);
  history.replaceState = (...given) => {
    window.atWipe ??= {
      elements: document.querySelector('#panel').childElementCount,
      // The page itself preloads data, before any script runs.
      requests: performance
        .getEntriesByType('resource')
        .filter(({ name, initiatorType }) => !name.includes('/assets/') && initiatorType !== 'link')
        .map(({ name }) => name),
    };
    replace(...given);
  };
}

function recordNotifications() {
  window.shown = [];
  window.Notification = class {
    static permission = 'granted';
    static requestPermission = () => Promise.resolve('granted');
    constructor(title, { body }) {
      window.shown.push(`${title}: ${body}`);
    }
    addEventListener() {}
  };
}

function focusedText(page) {
  return page.evaluate(() => document.activeElement.textContent);
}

/** Presses Tab until a control with this text has the focus. */
async function tabTo(page, text) {
  const isWanted = (found) => (typeof text === 'string' ? found.includes(text) : text.test(found));
  for (let presses = 0; presses < 60; presses++) {
    if (
      isWanted(await focusedText(page)) &&
      (await page.evaluate(() => document.activeElement !== document.body))
    )
      return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${text}`);
}
