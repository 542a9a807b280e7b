import assert from 'node:assert/strict';

/** A range that the API reads, too, so that an address of the panel lists the same there. */
const EVER = '/firewall?from=2020-01-01';

export const cases = {
  async 'a rejected call shows its reason at the argument'(stage) {
    await stage.ask('Refund 9000 euros for order A-1182');
    const page = await stage.open('ops-1', '/firewall?tool=refund');
    const newest = page.locator('.rejection').first();
    await newest.getByText('must be <= 5000').waitFor();
    await newest.getByRole('button', { name: 'Show the arguments' }).click();
    await newest.locator('.fault', { hasText: 'euros9,000' }).getByText('must be <= 5000').waitFor();
  },

  async 'calls with the same fault are one row, with their number and times, and can be unfolded'(stage) {
    for (let number = 0; number < 2; number++) await stage.ask('Refund 9000 euros for order A-1182');
    const page = await stage.open('ops-1', '/firewall?tool=refund');
    const group = page.locator('.rejections > *').first();
    const [, times] = /^×(\d+), first .+, last .+$/.exec(await group.locator('summary').textContent());
    assert.ok(Number(times) >= 2);
    await group.locator('summary').click();
    await page.waitForFunction(
      (wanted) => document.querySelectorAll('.rejections > :first-child .rejection').length === wanted,
      Number(times),
    );
    const faults = await group.locator('.reasons').allTextContents();
    assert.equal(new Set(faults).size, 1);
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
    for (const path of [EVER, `${EVER}&tool=refund`]) {
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
      await page.waitForFunction((wanted) => {
        const groups = [...document.querySelectorAll('.rejections > *')];
        const timesOf = (group) => Number(group.querySelector('summary strong')?.textContent.slice(1) ?? 1);
        return groups.reduce((sum, group) => sum + timesOf(group), 0) === wanted;
      }, calls);
    }
  },

  async 'the list can be narrowed to a tool and widened again'(stage) {
    const page = await stage.open('ops-1', EVER);
    await page.getByRole('button', { name: 'delete_record' }).click();
    await page.waitForURL(/tool=delete_record/);
    await page.getByRole('button', { name: /Remove this filter/ }).click();
    await page.waitForURL((url) => !url.search.includes('tool'));
  },
};
