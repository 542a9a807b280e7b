import assert from 'node:assert/strict';
import { overflow, seriousFindings } from './accessibility.panel.mjs';
import { rowsBehind } from './figures.mjs';

const OUTPUT = '/output?days=30';

export const cases = {
  async 'each number of outputs is the number of rows behind its link'(stage) {
    const page = await stage.open('ops-1', OUTPUT);
    await page.getByText('The same figures as a table').click();
    for (const links of ['.legend a', '.table-scroll td.number a']) {
      for (const { shown, listed, href } of await rowsBehind(stage, page.locator(links))) {
        assert.equal(listed, shown, href);
      }
    }
  },

  async 'each part of the chart has the number of outputs that its label shows'(stage) {
    const page = await stage.open('ops-1', OUTPUT);
    const labels = (link) => link.getAttribute('aria-label');
    for (const { shown, listed, href } of await rowsBehind(stage, page.locator('.chart svg a'), labels)) {
      assert.equal(listed, shown, href);
    }
  },

  async 'an output shows its recorded findings, and the result of the current rules'(stage) {
    const page = await stage.open('ops-1', OUTPUT);
    await page.getByRole('button', { name: 'Markdown' }).click();
    await page.locator('.output-list a').first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('heading', { name: 'Then' }).waitFor();
    await drawer.getByRole('heading', { name: 'After', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  },

  async 'outputs of one application are counted alone, and none of an unknown one'(stage) {
    const page = await stage.open('ops-1', OUTPUT);
    await page.getByLabel('Application').selectOption('demo-seed');
    await page.waitForURL(/application=demo-seed/);
    for (const { shown, listed, href } of await rowsBehind(stage, page.locator('.legend a'))) {
      assert.equal(listed, shown, href);
    }
    await stage.go(page, `${OUTPUT}&application=nobody`);
    await page.getByText('Nothing was found in outputs of this period.').waitFor();
  },

  async 'an open output fits a small phone, and axe finds nothing serious in it'(stage) {
    const { data } = await stage.api(
      'ops-1',
      'GET',
      '/audit?control=output_handler&kind=html_stripped&limit=1',
    );
    const page = await stage.browse('ops-1', { bypassCSP: true, viewport: { width: 320, height: 640 } });
    for (const path of [OUTPUT, `${OUTPUT}&open=${data.entries[0].id}`]) {
      await stage.go(page, path);
      assert.deepEqual(await seriousFindings(page), [], path);
      assert.equal(await overflow(page), 0, path);
    }
  },
};
