import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { overflow } from './accessibility.panel.mjs';
import { see, withApprovals } from './approvals-host.mjs';
import { settled } from './stage.mjs';

export const hasOwnHosts = true;

const ARGUMENTS = { amount: 39, order: 'A-1160', why: 'broken on arrival' };
const LIMITS = { script: 45_000, stylesheet: 12_000 };
/** Requests expected on opening, one per line. */
const API_REQUESTS = 9;
const ASSETS = fileURLToPath(new URL('../../dist/apps/panel/assets/', import.meta.url));

export const cases = {
  async 'a cold load of an approval transfers few bytes, and loads every script with the page'(stage) {
    await withApprovals(stage, async (host) => {
      const id = await host.park('refund', ARGUMENTS, { prompt: 'Refund order A-1160 please' });
      const page = await host.browse('ops-1', { isPhone: true });
      const requests = [];
      page.on('request', (request) => requests.push(request));
      const response = await page.goto(`/guardrails/panel/approvals/${id}`);
      await settled(page);
      await see(page, 'Refund order A-1160 please');
      const html = await response.text();
      for (const [type, limit] of Object.entries(LIMITS)) {
        const names = namesOf(requests, type);
        assert.ok(names.length > 0, type);
        const bytes = names.reduce((sum, name) => sum + readFileSync(`${ASSETS}${name}.gz`).length, 0);
        assert.ok(bytes <= limit, `${type}: ${bytes} bytes gzipped`);
        // A name that only another script contains would cost one more round trip.
        assert.deepEqual(
          names.filter((name) => !html.includes(name)),
          [],
        );
      }
      const api = requests
        .map((request) => new URL(request.url()).pathname)
        .filter((path) => /\/(api|events)(\/|$)/.test(path));
      assert.ok(api.length <= API_REQUESTS, api.join(' '));
    });
  },

  async 'while the panel connects, the top bar fits a phone with any range'(stage) {
    await withApprovals(stage, async (host) => {
      const page = await host.browse('ops-1', { isPhone: true });
      await page.route('**/guardrails/events*', () => undefined);
      for (const path of ['/events', '/events?from=2026-01-01&to=2026-01-02'])
        for (const width of [360, 320]) {
          await page.setViewportSize({ width, height: 640 });
          await host.show(page, path);
          await page.locator('.top-bar').getByText('connecting').waitFor();
          assert.equal(await overflow(page), 0, `${path} at ${width} px`);
        }
    });
  },
};

for (const theme of ['light', 'dark']) {
  cases[`a link of the pager leads to a decision with two touches (${theme})`] = async (stage) => {
    await withApprovals(stage, work, { settings: { 'hitl.token_delivery': 'out_of_band' } });
    async function work(host) {
      const id = await host.park('refund', ARGUMENTS, { prompt: 'Refund order A-1160 please' });
      const page = await host.browse('ops-1', { isPhone: true, colorScheme: theme });
      await host.show(page, `/approvals/${id}#token=${await host.pager.tokenOf(id)}`);
      await see(page, 'Refund order A-1160 please');
      const { arguments: shown, bar } = await boxes(page);
      assert.ok(
        shown.top >= 0 && shown.bottom <= bar.top,
        `arguments end at ${shown.bottom}, bar at ${bar.top}`,
      );
      for (const [name, value] of Object.entries(ARGUMENTS))
        assert.ok((await page.locator('.arguments').textContent()).includes(name + value));
      assert.deepEqual(await misplaced(page), []);
      assert.equal(await overflow(page), 0);

      await page.getByRole('button', { name: 'Approve…' }).tap();
      await page.getByRole('dialog').getByText('This cannot be undone.').waitFor();
      assert.deepEqual(await misplaced(page), []);
      await page.locator('dialog [type=submit]').tap();
      await see(page, 'You approved this call, and it ran.');
      assert.deepEqual(host.runs, [ARGUMENTS]);
    }
  };
}

function namesOf(requests, type) {
  return requests
    .filter(
      (request) => request.resourceType() === type || (type === 'script' && request.url().endsWith('.js')),
    )
    .map((request) => new URL(request.url()).pathname.split('/').at(-1))
    .filter((name, index, all) => all.indexOf(name) === index);
}

function boxes(page) {
  return page.evaluate(() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON();
    return { arguments: box('.arguments'), bar: box('.decision-bar') };
  });
}

/** Controls beside the edge or too small for a finger; those that decide must also be above the lower edge. */
function misplaced(page) {
  return page.evaluate(() => {
    const layer = document.querySelector('dialog[open]') ?? document;
    return [
      ...layer.querySelectorAll('button, a.rail-link, input, textarea, select, summary, label.check'),
    ].flatMap((control) => {
      const { top, bottom, left, right, width, height } = control.getBoundingClientRect();
      if (width === 0 || control.closest('.visually-hidden, [hidden]') !== null) return [];
      const decides = control.matches('.decision-bar button, dialog button');
      const isInside = left >= 0 && right <= innerWidth && (!decides || (top >= 0 && bottom <= innerHeight));
      return isInside && width >= 44 && height >= 44
        ? []
        : [`${control.outerHTML.slice(0, 100)} ${Math.round(width)} x ${Math.round(height)}`];
    });
  });
}
