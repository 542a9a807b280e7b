import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { holdDialog } from './holds.panel.mjs';
import { bearerHost } from './hosts.mjs';
import { settled } from './stage.mjs';

export const cases = {
  async 'without a session a link leads to the login, and from there to the same address'(stage) {
    const page = await stage.browse(null);
    const address = `${stage.demo.url}/guardrails/panel/audit?outcome=blocked&control=input_screen`;
    await page.goto(address);
    await page.waitForURL(/\/login/);
    await stage.fillLogin(page, 'ops-1');
    await page.waitForURL(address);
    await settled(page);
    await page.getByRole('button', { name: /^blocked/, pressed: true }).waitFor();
  },

  async 'an expired session keeps the input, and continues after a login in another tab'(stage) {
    const page = await stage.open('ops-1', '/holds');
    const dialog = await holdDialog(page, 'customer-7', 'Case 21');
    await page.context().clearCookies();
    await dialog.getByRole('button', { name: 'Set the hold' }).click();
    await page.getByText('You are no longer logged in.').first().waitFor();

    const other = await page.context().newPage();
    await other.goto('/login');
    await stage.fillLogin(other, 'ops-1');
    await other.waitForURL(`${stage.demo.url}/`);
    assert.equal(await dialog.getByLabel(/Reason/).inputValue(), 'Case 21');
    await dialog.getByRole('button', { name: 'Set the hold' }).click();
    await page.getByText('Case 21').waitFor();
  },

  async 'after a login in another tab the page goes on by itself'(stage) {
    const page = await stage.open('ops-1', '/audit');
    const { cookies } = await page.context().storageState();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Rules' }).first().click();
    await page.getByText('You are no longer logged in.').first().waitFor();
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByText('You are no longer logged in.').first().waitFor();
    await page.context().addCookies(cookies);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.locator('main [data-row]').first().waitFor();
    assert.equal(await page.getByText('You are no longer logged in.').count(), 0);
  },

  async 'a page of another origin cannot write with the cookie of the operator'(stage) {
    const { data } = await stage.api('ops-1', 'POST', '/holds', { run_id: 'run-3', reason: 'Case 22' });
    const target = `${stage.demo.url}/guardrails/api/holds/${data.hold.id}/release`;
    const attacker = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<form method="post" action="${target}"><button>Win a prize</button></form>`);
    }).listen(0, '127.0.0.1');
    await once(attacker, 'listening');
    const page = await stage.browse('ops-1');
    await page.goto(`http://127.0.0.1:${attacker.address().port}/`);
    await Promise.all([page.waitForURL(target), page.getByRole('button').click()]);
    attacker.close();
    const { data: list } = await stage.api('ops-1', 'GET', '/holds?active=true');
    assert.ok(list.holds.some(({ id }) => id === data.hold.id));
    await stage.api('ops-1', 'POST', `/holds/${data.hold.id}/release`);
  },

  async 'with panel.auth bearer the token is in the memory of the tab only'(stage) {
    await bearerHost(async ({ url, token }) => {
      const page = await stage.browse(null, { baseURL: url });
      const addresses = [];
      page.on('request', (request) => addresses.push(request.url()));
      await page.goto('/guardrails/panel');
      await enterToken(page, token);
      assert.deepEqual(await stored(page), { local: '{}', session: '{}', cookie: '' });
      assert.ok(addresses.every((address) => !address.includes(token)));

      await page.reload();
      await enterToken(page, token, { isKept: true });
      const { local, session, cookie } = await stored(page);
      assert.deepEqual([local, cookie], ['{}', '']);
      assert.ok(session.includes(token));
      await page.reload();
      await page.getByText('Approvals is off: calls of a tool').waitFor();
    });
  },

  async 'with panel.auth bearer signing out deletes the token and clears the screen'(stage) {
    await bearerHost(async ({ url, token }) => {
      const page = await stage.browse(null, { baseURL: url });
      await page.goto('/guardrails/panel');
      await enterToken(page, token, { isKept: true });
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByLabel('Access token').waitFor();
      assert.equal(await page.getByText('Approvals is off: calls of a tool').count(), 0);
      assert.deepEqual(await stored(page), { local: '{}', session: '{}', cookie: '' });
    });
  },

  async 'the input is also kept if the host redirects to its login instead of answering 401'(stage) {
    const page = await stage.open('ops-1', '/holds');
    const dialog = await holdDialog(page, 'customer-8', 'Case 23');
    for (const answer of [
      { status: 302, headers: { location: '/login' } },
      { status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' },
    ]) {
      await page.route('**/guardrails/api/holds', (route) => route.fulfill(answer));
      await dialog.getByRole('button', { name: 'Set the hold' }).click();
      await page.getByText('You are no longer logged in.').first().waitFor();
      await page.unrouteAll();
      await dialog.getByRole('button', { name: 'I am logged in, go on' }).click();
      await dialog.getByText('You are no longer logged in.').waitFor({ state: 'detached' });
    }
    assert.equal(await dialog.getByLabel(/Reason/).inputValue(), 'Case 23');
  },

  async 'with panel.auth bearer, a wrong token leads to a new prompt'(stage) {
    await bearerHost(async ({ url }) => {
      const page = await stage.browse(null, { baseURL: url });
      await page.goto('/guardrails/panel/audit');
      await page.getByLabel('Access token').fill('wrong');
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByLabel('Access token').waitFor();
    });
  },
};

async function enterToken(page, token, { isKept = false } = {}) {
  await page.getByLabel('Access token').fill(token);
  if (isKept) await page.getByLabel('Keep it until this tab is closed').check();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Approvals is off: calls of a tool').waitFor();
}

function stored(page) {
  return page.evaluate(() => ({
    local: JSON.stringify(localStorage),
    session: JSON.stringify(sessionStorage),
    cookie: document.cookie,
  }));
}
