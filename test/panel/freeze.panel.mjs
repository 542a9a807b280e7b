import assert from 'node:assert/strict';
import { overflow } from './accessibility.panel.mjs';

/** Lifts what a case left, as nobody can work while tools are frozen. */
async function thawed(stage, work) {
  try {
    await work();
  } finally {
    const { data } = await stage.api('ops-1', 'GET', '/freeze?active=true');
    for (const { id } of data.freezes)
      for (const who of ['ops-1', 'ops-2'])
        await stage
          .api(who, 'POST', `/freeze/${id}/lift`, { reason: 'end of the case' })
          .catch(() => undefined);
  }
}

export const cases = {
  async 'tools are frozen by keyboard, every screen shows a bar, and another operator lifts the freeze'(
    stage,
  ) {
    await thawed(stage, async () => {
      const page = await stage.open('ops-1', '/firewall');
      await page.getByRole('button', { name: 'Freeze' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Freeze tools' });
      await dialog.getByLabel('What to stop').selectOption('tool');
      await dialog.getByText('go on to their end. The assistant still answers').waitFor();
      const unknown = dialog.getByText('This tool is not among those with the most entries');
      await dialog.getByLabel('Name of the tool').fill('refnd');
      await unknown.waitFor();
      await dialog.getByLabel('Name of the tool').fill('refund');
      await unknown.waitFor({ state: 'detached' });
      assert.ok(await dialog.locator('option[value="refund"]').count());
      await dialog.getByLabel('Reason').fill('refunds to a wrong account');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      const bar = page.getByRole('region', { name: /^Freeze \d+$/ });
      await bar.getByText('Frozen: tool refund.').waitFor();
      await bar.getByText('refunds to a wrong account').waitFor();
      assert.match(await bar.innerText(), /By ops-1/);
      await page.getByRole('link', { name: 'Overview' }).first().click();
      await page.getByText('Tools are frozen: the bar above says which ones').waitFor();

      const other = await stage.open('ops-2', '/rules');
      const seen = other.getByRole('region', { name: /^Freeze \d+$/ });
      await seen.getByRole('button', { name: 'Lift' }).click();
      await other.getByRole('dialog').getByLabel('Reason').fill('the account is corrected');
      await other.getByRole('button', { name: 'Lift the freeze' }).click();
      await seen.waitFor({ state: 'detached' });
      await bar.waitFor({ state: 'detached' });
    });
  },

  async 'two touches on a phone stop everything, and one stops nothing'(stage) {
    await thawed(stage, async () => {
      const page = await stage.browse('ops-1', { size: 'phone' });
      await page.addInitScript(() => {
        window.touches = 0;
        addEventListener('touchstart', () => window.touches++, true);
      });
      await stage.go(page, '/audit');
      const active = async () => (await stage.api('ops-1', 'GET', '/freeze?active=true')).data.freezes;
      await page.getByRole('button', { name: 'Freeze', exact: true }).tap();
      const dialog = page.getByRole('dialog', { name: 'Freeze tools' });
      const send = dialog.getByRole('button', { name: 'Freeze all tools' });
      const box = await send.boundingBox();
      assert.ok(box.y + box.height <= 640, JSON.stringify(box));
      assert.deepEqual(await active(), []);
      await send.tap();
      await page.getByText('Frozen: all tools.').waitFor();
      assert.equal(await page.evaluate(() => window.touches), 2);
      const [freeze] = await active();
      assert.deepEqual([freeze.scope, freeze.reason], ['all', 'Stopped by ops-1 from the panel']);
      await page.getByRole('button', { name: 'Lift' }).tap();
      const lift = page.getByRole('dialog');
      await lift.getByRole('button', { name: 'Lift the freeze' }).tap();
      assert.equal((await active()).length, 1, 'lifted without a reason');
      await lift.getByLabel('Reason (required)').fill('over');
    });
  },

  async 'the top bar fits narrow phones, and its search opens with a touch'(stage) {
    const page = await stage.open('ops-1', '/audit', { size: 'phone' });
    for (const width of [360, 320, 300]) {
      await page.setViewportSize({ width, height: 640 });
      for (const control of await page.locator('.top-bar').getByRole('button').all()) {
        const box = await control.boundingBox();
        assert.ok(
          box.x >= 0 && box.x + box.width <= width && box.width >= 44,
          JSON.stringify({ width, box }),
        );
      }
      assert.equal(await overflow(page), 0);
    }
    await page.getByRole('button', { name: 'Go to a screen, an id or a setting' }).tap();
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
  },

  async 'the button and the bar fit a phone, and a viewer reads the bar without Lift'(stage) {
    await thawed(stage, async () => {
      await stage.api('ops-1', 'POST', '/freeze', { scope: 'application', name: 'batch', reason: 'case 7' });
      const page = await stage.open('viewer-1', '/audit');
      await page.setViewportSize({ width: 390, height: 844 });
      const bar = page.getByRole('region', { name: /^Freeze \d+$/ });
      await bar.getByText('case 7').waitFor();
      assert.equal(await bar.getByRole('button', { name: 'Lift' }).count(), 0);
      assert.ok(await page.getByRole('button', { name: 'Freeze' }).isDisabled());
      const box = await page.getByRole('button', { name: 'Freeze' }).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
      assert.equal(await overflow(page), 0);
    });
  },
};
