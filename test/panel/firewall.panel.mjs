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
    const links = page.locator('table td.number a');
    assert.ok((await links.count()) > 0);
    for (let index = 0; index < (await links.count()); index++) {
      const query = new URL(await links.nth(index).getAttribute('href'), stage.demo.url).search;
      const { data } = await stage.api('ops-1', 'GET', `/audit${query}&limit=200`);
      assert.equal(data.entries.length, Number(await links.nth(index).textContent()), query);
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
