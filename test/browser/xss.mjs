// Loads the sanitized payloads of both HTML modes in a real Chromium, and fails if a script runs or a resource is fetched,
// or could be. Prints `N passed, N failed` last.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { Sanitizer } from '../../dist/libs/engine/src/controls/output/sanitizer.js';
import { OWN_PAYLOADS } from './own-payloads.mjs';

const PAYLOADS = process.env.XSS_PAYLOADS ?? new URL('../../../shared/data/xss/', import.meta.url).pathname;
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  );
const BATCH = 100;
const HARMLESS =
  'a abbr b blockquote br cite code dd del dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp small strong sub sup u ul var';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: FLAGS,
});
const context = await browser.newContext();
let requests = [];
await context.addInitScript(() => {
  window.ran = [];
  for (const name of ['alert', 'confirm', 'prompt', 'print']) window[name] = () => window.ran.push(name);
});
await context.route('**/*', (route) => {
  requests.push(route.request().url());
  return route.abort();
});
const page = await context.newPage();

const sanitizer = new Sanitizer([]);
const payloads = [...OWN_PAYLOADS, ...foreignPayloads()];
let passed = 0;
const failures = [];

await proveTheHarness();
for (const mode of ['escape', 'allowlist']) {
  // Markdown and redaction passes would also remove parts.
  for (const alone of [true, false]) {
    const settings = new Settings({
      ...DEFAULT_SETTINGS,
      'output_handler.rendering': 'any',
      'output_handler.html_mode': mode,
      'output_handler.neutralize_markdown': !alone,
      'output_handler.redact_pii': !alone,
      'output_handler.redact_secrets': !alone,
    });
    for (let start = 0; start < payloads.length; start += BATCH) {
      const clean = payloads
        .slice(start, start + BATCH)
        .map((payload) => sanitizer.sanitize(payload, settings).text);
      await judge(clean, mode);
    }
  }
}
await browser.close();

for (const { mode, text, found } of failures.slice(0, 50)) {
  console.log(`${mode}: ${JSON.stringify(text.slice(0, 300))}: ${JSON.stringify(found)}`);
}
console.log(`${payloads.length} payloads, both modes, with and without the other passes`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;

function foreignPayloads() {
  if (!existsSync(PAYLOADS)) return [];
  return readdirSync(PAYLOADS)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(PAYLOADS, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line).payload);
}

/** Loads a batch in one page. If it finds something, it loads each half again. */
async function judge(texts, mode) {
  const found = await load(texts, mode);
  if (found.length === 0) {
    passed += texts.length;
  } else if (texts.length === 1) {
    failures.push({ mode, text: texts[0], found });
  } else {
    const half = Math.ceil(texts.length / 2);
    await judge(texts.slice(0, half), mode);
    await judge(texts.slice(half), mode);
  }
}

async function load(texts, mode) {
  // A new document each time, which ends the scripts of the earlier one.
  await page.goto('about:blank');
  requests = [];
  await page.setContent(
    `<!doctype html><body>${texts.map((text) => `<section>${text}</section>`).join('\n')}</body>`,
    { waitUntil: 'load' },
  );
  const found = await page.evaluate(lookAround, mode === 'allowlist' ? HARMLESS.split(' ') : []);
  return [...found, ...requests.map((url) => `request: ${url}`)];
}

/** Runs in the page. Collects executed scripts, forbidden elements, and the effects of every event. */
async function lookAround(harmless) {
  const allowed = new Set(['section', ...harmless]);
  const found = [];
  for (const element of document.body.querySelectorAll('*')) {
    const name = element.localName;
    if (!allowed.has(name)) found.push(`element: ${name}`);
    for (const attribute of element.attributes) {
      const kept = { 'a href': /^(?:https?:|mailto:|\/|#)/, 'code class': /^language-/, 'ol start': /^\d+$/ }[
        `${name} ${attribute.name}`
      ];
      if (!kept?.test(attribute.value)) found.push(`attribute: ${name} ${attribute.name}`);
    }
    for (const event of [
      'click',
      'mouseover',
      'mouseenter',
      'pointerenter',
      'focus',
      'keydown',
      'error',
      'load',
      'toggle',
    ]) {
      element.addEventListener('click', (click) => click.preventDefault(), { once: true });
      element.dispatchEvent(new Event(event, { bubbles: false, cancelable: true }));
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  return [...found, ...window.ran.map((name) => `ran: ${name}`)];
}

/** The unsanitized payload must be detected; otherwise a pass proves nothing. */
async function proveTheHarness() {
  const found = await load(['<img src=x onerror=alert(1)>', '<script>alert(1)</script>'], 'escape');
  for (const sign of ['element: img', 'attribute: img onerror', 'ran: alert']) {
    if (!found.includes(sign)) throw new Error(`The page does not see ${sign}.`);
  }
}
