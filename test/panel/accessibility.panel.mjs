import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { SCREENS } from './screens.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const cases = {};

for (const theme of ['light', 'dark'])
  for (const size of ['phone', 'desktop'])
    cases[`axe finds nothing serious on any screen (${theme}, ${size})`] = async (stage) => {
      // axe-core is evaluated in the page, which the Content-Security-Policy of the panel forbids.
      const page = await stage.browse('ops-1', { theme, size, bypassCSP: true });
      for (const path of SCREENS) {
        await stage.go(page, path);
        assert.deepEqual(await seriousFindings(page), [], path);
        assert.equal(await overflow(page), 0, `${path} scrolls sideways`);
      }
    };

cases['nothing scrolls sideways at 320 px, and every control has a name'] = async (stage) => {
  const page = await stage.browse('ops-1', { viewport: { width: 320, height: 640 } });
  for (const path of SCREENS) {
    await stage.go(page, path);
    assert.equal(await overflow(page), 0, `${path} scrolls sideways`);
    assert.deepEqual(await namelessControls(page), [], path);
  }
};

export async function seriousFindings(page) {
  await page.evaluate(AXE);
  return page.evaluate(async (tags) => {
    const { violations } = await window.axe.run(document, { runOnly: tags });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  }, TAGS);
}

export function overflow(page) {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}

const CONTROLS =
  /^(button|link|textbox|searchbox|combobox|listbox|checkbox|radio|switch|tab|menuitem|slider|spinbutton)$/;

async function namelessControls(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ ignored, role }) => !ignored && CONTROLS.test(role?.value ?? ''))
    .filter(({ name }) => (name?.value ?? '').trim() === '')
    .map(({ role, backendDOMNodeId }) => `${role.value} ${backendDOMNodeId}`);
}
