import assert from 'node:assert/strict';
import { memoryStores } from '../../dist/src/index.js';
import { openHost } from './hosts.mjs';
import { settled } from './stage.mjs';

export const hasOwnHosts = true;

const AUDIT = '/guardrails/panel/audit';
const WINDOW = 40;

/** Entries of which the first and the newest-but-one match; a request of a search reads `WINDOW` of them. */
export async function withPartialSearch(stage, options, work) {
  const stores = memoryStores();
  const list = stores.audit.list.bind(stores.audit);
  stores.audit.list = async (filter, request) => {
    const page = await list(filter, request);
    if (filter.q === undefined) return page;
    const { q: _, ...others } = filter;
    const read = await list(others, { ...request, limit: WINDOW });
    if (read.next_cursor === null) return page;
    const entries = page.entries.filter(({ id }) => id >= read.next_cursor);
    return { entries, next_cursor: read.next_cursor, partial: true };
  };
  await openHost({ stores }, async ({ url, guardrails }) => {
    await guardrails.screen('Where is the golden watch?', { principalId: 'customer-42' });
    for (let number = 0; number < 2.5 * WINDOW; number++)
      await guardrails.screen(`Where is order ${number}?`, { principalId: 'customer-7' });
    await guardrails.screen('I bought a golden ring.', { principalId: 'customer-42' });
    await guardrails.screen('Thank you.', { principalId: 'customer-42' });
    const page = await stage.browse(null, { ...options, baseURL: url });
    await work(page);
  });
}

export const cases = {
  async 'a search over partial pages shows how far it has come, and reaches the oldest entry'(stage) {
    await withPartialSearch(stage, {}, async (page) => {
      await page.goto(`${AUDIT}?q=golden`);
      await settled(page);
      const more = page.getByRole('button', { name: 'Search older entries' });
      assert.deepEqual(await texts(page), ['I bought a golden ring.']);
      const places = [];
      while ((await more.count()) > 0) {
        places.push(await searchedTo(page));
        await more.click();
        await page.waitForFunction(
          (before) => !document.querySelector('.notice.waiting')?.textContent.includes(`entry ${before}`),
          places.at(-1),
        );
        await settled(page);
      }
      assert.ok(places.length >= 2, 'There was one page only.');
      assert.deepEqual(
        places,
        places.toSorted((a, b) => b - a),
      );
      assert.deepEqual(await texts(page), ['I bought a golden ring.', 'Where is the golden watch?']);
      await page.getByText('The oldest matching entry is above.').waitFor();
    });
  },

  async 'a page without a match is not shown as empty while there are older entries'(stage) {
    await withPartialSearch(stage, {}, async (page) => {
      await page.goto(`${AUDIT}?q=watch`);
      await settled(page);
      await page.getByRole('button', { name: 'Search older entries' }).waitFor();
      assert.equal(await page.getByText('No entry in this range matches.').count(), 0);
      await page.goto(`${AUDIT}?q=nothing+like+it`);
      await settled(page);
      const more = page.getByRole('button', { name: 'Search older entries' });
      while ((await more.count()) > 0) {
        assert.equal(await page.getByText('No entry in this range matches.').count(), 0);
        const before = await searchedTo(page);
        await more.click();
        await page.waitForFunction(
          (place) => !document.querySelector('.notice.waiting')?.textContent.includes(`entry ${place}`),
          before,
        );
        await settled(page);
      }
      await page.getByText('No entry in this range matches.').waitFor();
    });
  },
};

async function searchedTo(page) {
  const text = await page.locator('.notice.waiting').textContent();
  return Number(/Searched back to entry (\d+)/.exec(text)?.[1]);
}

function texts(page) {
  return page.locator('tbody td.text').allTextContents();
}
