import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { SCREENS } from './screens.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What a theme can change: the others read the document, which is the same in both. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

export const cases = {};

for (const size of ['phone', 'desktop'])
  cases[
    `on each screen axe finds nothing serious in both themes, each control has a name, and nothing scrolls sideways (${size})`
  ] = async (stage) => {
    // axe-core is evaluated in the page, which the Content-Security-Policy of the panel forbids.
    const page = await stage.browse('ops-1', { size, bypassCSP: true });
    for (const path of SCREENS) {
      await stage.go(page, path);
      assert.deepEqual(await seriousFindings(page), [], path);
      assert.equal(await overflow(page), 0, `${path} scrolls sideways`);
      assert.deepEqual(await namelessControls(page), [], path);
      if (size === 'desktop') continue;
      await page.setViewportSize({ width: 320, height: 640 });
      assert.equal(await overflow(page), 0, `${path} scrolls sideways at 320 px`);
      assert.deepEqual(await namelessControls(page), [], `${path} at 320 px`);
      await page.setViewportSize({ width: 360, height: 640 });
    }
  };

const RULE = '/rules?q=ignore_previous&rule=instruction_override.ignore_previous.ignore';

/** Windows over the screens, and states of screens: how each is opened. */
const OPENINGS = {
  'an entry in its drawer': async (stage, page) => {
    const { data } = await stage.api('ops-1', 'GET', '/audit?outcome=blocked&limit=1');
    await stage.go(page, `/audit/${data.entries[0].id}`);
    await page.getByRole('dialog').waitFor();
  },
  'a rule in its drawer': (stage, page) => stage.go(page, RULE),
  'an output in its drawer': async (stage, page) => {
    await stage.go(page, '/output?last=30d');
    await page.locator('.output-list a').first().click();
    await page.getByRole('dialog').waitFor();
  },
  'unfolded rows that read the same': async (stage, page) => {
    for (let number = 0; number < 2; number++) await stage.ask('Refund 9000 euros for order A-1182');
    await stage.go(page, '/firewall');
    await page.locator('.fold-rows summary').first().click();
    await page.locator('.fold-rows .rejection').first().waitFor();
  },
  'the keys': async (stage, page) => {
    await stage.go(page, '/holds');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  },
  'the palette': async (stage, page) => {
    await stage.go(page, '/holds');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
  },
  'a new hold': async (stage, page) => {
    await stage.go(page, '/holds');
    await page.getByRole('button', { name: 'Set a hold' }).click();
    await page.getByRole('dialog').waitFor();
  },
  'a call that waits': async (stage, page) => {
    const id = await stage.park('Refund 2000 euros for order A-1197');
    await stage.go(page, `/approvals/${id}`);
  },
  'the confirmation of a decision': async (stage, page) => {
    const id = await stage.park('Refund 2001 euros for order A-1197');
    await stage.go(page, `/approvals/${id}`);
    await page
      .getByRole('button', { name: /^Reject/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
  },
  'an empty list': (stage, page) => stage.go(page, '/audit?q=nothing-has-this-text'),
  'a change of the mode of a rule': async (stage, page) => {
    await stage.go(page, RULE);
    await page.getByRole('button', { name: 'monitor', exact: true }).click();
    await page.getByLabel('I want this weaker protection.').waitFor();
  },
  'the rejection of selected calls': async (stage, page) => {
    await stage.park('Refund 2003 euros for order A-1197');
    await stage.park('Refund 2004 euros for order A-1197');
    await stage.go(page, '/approvals');
    const boxes = page.getByRole('checkbox', { name: /for rejection$/ });
    for (const index of [0, 1]) await boxes.nth(index).check();
    await page.getByRole('button', { name: /^Reject 2 calls/ }).click();
    await page.getByRole('dialog').waitFor();
  },
  'a replay of a range of events': async (stage, page) => {
    await stage.go(page, '/events');
    await page.getByRole('button', { name: 'Replay a range' }).click();
    await page.getByRole('dialog').waitFor();
  },
  'the review of changed settings': openReview,
  'a conflict of two sessions about settings': async (stage, page) => {
    await openReview(stage, page);
    await stage.api('ops-2', 'PUT', '/settings', { settings: { 'retention.days': 102 } });
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('You both changed the settings below.').waitFor();
    await stage.api('ops-2', 'PUT', '/settings', { settings: { 'retention.days': null } });
  },
  'a long value in the history of the settings': async (stage, page) => {
    const key = 'input_screen.refusal_message';
    const save = (value) => stage.api('ops-2', 'PUT', '/settings', { settings: { [key]: value } });
    await save('Ask the support team of the shop about your orders. '.repeat(30).trim());
    await save(null);
    await stage.go(page, '/settings/history');
  },
  'a list that is loading': async (stage, page) => {
    await page.route('**/guardrails/api/runs?*', () => undefined);
    await page.goto('/guardrails/panel/audit');
    await page.locator('.skeleton').first().waitFor();
  },
};

async function openReview(stage, page) {
  await page.evaluate(() => sessionStorage.clear());
  await stage.go(page, '/settings/audit');
  await page.locator('[id="setting-retention.days"]').getByRole('textbox').fill('101');
  await page.getByRole('button', { name: 'Review changes' }).click();
  await page.getByRole('dialog').waitFor();
}

for (const size of ['phone', 'desktop'])
  cases[`axe finds nothing serious in windows and states, in both themes (${size})`] = async (stage) => {
    const page = await stage.browse('ops-1', { size, bypassCSP: true });
    for (const [name, open] of Object.entries(OPENINGS)) {
      await open(stage, page);
      assert.deepEqual(await seriousFindings(page), [], name);
      assert.equal(await overflow(page), 0, `${name} scrolls sideways`);
    }
  };

/** What axe-core finds in the page as it is, in both themes. */
export async function seriousFindings(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  await show(page, 'light');
  const light = await findingsOf(page, { type: 'tag', values: TAGS });
  await show(page, 'dark');
  const dark = await findingsOf(page, { type: 'rule', values: RULES_OF_COLOUR });
  return [...light, ...dark.map((finding) => `dark: ${finding}`)];
}

async function show(page, theme) {
  await page.emulateMedia({ colorScheme: theme });
  await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);
}

function findingsOf(page, runOnly) {
  return page.evaluate(async (only) => {
    const { violations } = await window.axe.run(document, { runOnly: only, resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  }, runOnly);
}

/** The pixels beyond the right edge. A phone zooms out to show them, which changes `innerWidth`. */
export function overflow(page) {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return Math.max(0, scrollWidth - clientWidth);
  });
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
