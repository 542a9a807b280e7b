import assert from 'node:assert/strict';
import { overflow, seriousFindings } from './accessibility.panel.mjs';
import { rowsBehind } from './figures.mjs';

const OUTPUT = '/output?last=30d';

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

  async 'the mark of each kind stands out from its card in both themes, and is not the colour of an outcome'(
    stage,
  ) {
    for (const theme of ['light', 'dark']) {
      const page = await stage.open('ops-1', OUTPUT, { theme });
      const marks = page.locator('.legend .key');
      await marks.first().waitFor();
      const colours = await marks.evaluateAll((keys) =>
        keys.map((key) => getComputedStyle(key, '::before').backgroundColor),
      );
      assert.equal(new Set(colours).size, colours.length);
      const card = await page
        .locator('.card')
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
      for (const colour of colours) {
        assert.ok(contrast(colour, card) >= 3, `${theme}: ${colour} on ${card}`);
        const hue = hueOf(colour);
        assert.ok(hue > 180 && hue < 330, `${theme}: ${colour} has the hue ${hue}`);
      }
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

  async 'outputs with the same text are one row, with their number and times, and can be unfolded'(stage) {
    for (let number = 0; number < 2; number++) await stage.ask('Show me an image of my receipt');
    const page = await stage.open('ops-1', '/output?kind=markdown_sanitized');
    const row = page.locator('.output-list li').first();
    const [, times] = /^×(\d+), first .+, last .+$/.exec(await row.locator('summary').textContent());
    assert.ok(Number(times) >= 2);
    assert.equal(await row.getByRole('link').count(), 1);
    await row.locator('summary').click();
    await page.waitForFunction(
      (wanted) => document.querySelectorAll('.output-list li:first-child a').length === wanted,
      Number(times),
    );
    const texts = await row.locator('.cut').allTextContents();
    assert.equal(new Set(texts).size, 1);
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

const channels = (colour) => colour.match(/\d+/g).map((value) => Number(value) / 255);

/** The ratio that WCAG defines. */
function contrast(one, other) {
  const [dark, light] = [one, other]
    .map((colour) => {
      const [red, green, blue] = channels(colour).map((value) =>
        value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** In degrees: 0 is red, 45 amber, 120 green. */
function hueOf(colour) {
  const [red, green, blue] = channels(colour);
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  const sector =
    most === red
      ? (green - blue) / range + 6
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  return (sector * 60) % 360;
}
