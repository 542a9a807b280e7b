import assert from 'node:assert/strict';

export const cases = {
  async 'a rejected call shows its reason at the argument'(stage) {
    await stage.ask('Refund 9000 euros for order A-1182');
    const page = await stage.open('ops-1', '/firewall?tool=refund');
    const newest = page.locator('.rejection').first();
    await newest.getByText('must be <= 5000').waitFor();
    await newest.getByRole('button', { name: 'Show the arguments' }).click();
    await newest.locator('.fault', { hasText: '"euros": 9000' }).getByText('must be <= 5000').waitFor();
  },

  async 'the counts by tool are the rows behind their links'(stage) {
    const page = await stage.open('ops-1', '/firewall');
    const links = page.locator('.card', { hasText: 'By tool' }).locator('td.number a');
    assert.ok((await links.count()) > 0);
    for (let index = 0; index < (await links.count()); index++) {
      const query = new URL(await links.nth(index).getAttribute('href'), stage.demo.url).search;
      const { data } = await stage.api('ops-1', 'GET', `/audit${query}&limit=200`);
      assert.equal(data.entries.length, Number(await links.nth(index).textContent()), query);
    }
  },

  async 'the counts by reason are the rows behind their links, for all tools and for one'(stage) {
    await stage.ask('Refund 9000 euros for order A-1182');
    for (const path of ['/firewall', '/firewall?tool=refund']) {
      const page = await stage.open('ops-1', path);
      const links = page.locator('.card', { hasText: 'By reason' }).locator('td.number a');
      assert.ok((await links.count()) > 0);
      for (const link of await links.all()) {
        const query = new URL(await link.getAttribute('href'), stage.demo.url).search;
        const { data } = await stage.api('ops-1', 'GET', `/firewall${query}&limit=200`);
        assert.equal(data.entries.length, Number(await link.textContent()), query);
      }
      const link = page.getByRole('row').filter({ hasText: 'must be <= 5000' }).getByRole('link');
      const calls = Number(await link.textContent());
      await link.click();
      await page.waitForURL(/reason=must\+be/);
      await page.waitForFunction(
        (wanted) => document.querySelectorAll('.rejection').length === wanted,
        calls,
      );
    }
  },

  async 'the list can be narrowed to a tool and widened again'(stage) {
    const page = await stage.open('ops-1', '/firewall');
    await page.getByRole('button', { name: 'delete_record' }).click();
    await page.waitForURL(/tool=delete_record/);
    await page.getByRole('button', { name: /Remove this filter/ }).click();
    await page.waitForURL((url) => !url.search.includes('tool'));
  },
};
