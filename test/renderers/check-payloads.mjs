// Every payload in every HTML mode, rendering and renderer: whole, and as released prefixes of a stream.
import { parseArgs } from 'node:util';
import {
  ALLOWED_HOSTS,
  HTML_MODES,
  chunksOf,
  isMarkupChanged,
  prefixesOf,
  sanitize,
  sanitizeChunks,
  somePrefixesOf,
} from './engine.mjs';
import { failuresOf } from './judge.mjs';
import { MERMAID_PAYLOADS, PAYLOADS } from './payloads.mjs';

const { values } = parseArgs({
  options: {
    family: { type: 'string' },
    show: { type: 'string' },
    'no-stream': { type: 'boolean' },
    /** Renders every prefix, and proves for every payload that it acts. */
    all: { type: 'boolean' },
  },
});
const isAll = values.all === true || values.family !== undefined;
const MIN_ACTING = 600;
const SPLITS = [1, 7, 64];
const MARGIN = 40;
const BEFORE = 'Here is what you asked for.\n\n';
const AFTER = `\n\n${'Some more words follow it. '.repeat(8)}\n\nThe end.`;

/** Of these, which are combinations, every fourth is judged unless their family is named. */
const COMBINED = 'host, read in two ways';

const payloads = PAYLOADS.filter(({ family }, index) =>
  values.family === undefined ? family !== COMBINED || index % 4 === 0 : family.includes(values.family),
);
let passed = 0;
/** @type {{ payload: import('./payloads.mjs').Payload, how: string, sanitized: string, renderer: string, acts: string[] }[]} */
const failures = [];
const actingIn = new Map();
const proved = payloads.filter((_, index) => isAll || index % 4 === 0);
const acting = proved.filter(({ text, namesHost }) => {
  const found = failuresOf(text, { rendering: 'unsanitized', allowedHosts: namesHost ? ALLOWED_HOSTS : [] });
  for (const { renderer } of found) actingIn.set(renderer, (actingIn.get(renderer) ?? 0) + 1);
  return found.length > 0;
});
console.log(`${acting.length} of ${proved.length} payloads act when they are not sanitized, in:`);
for (const [renderer, count] of actingIn) console.log(`  ${renderer}: ${count}`);
if (values.family === undefined && acting.length < MIN_ACTING) {
  throw new Error(`At least ${MIN_ACTING} payloads must act when they are not sanitized.`);
}

// Payloads that act nowhere today are judged as well: the sanitizer may turn one into something that acts.
let done = 0;
for (const payload of payloads) {
  for (const mode of HTML_MODES) {
    for (const rendering of /** @type {const} */ (['any', 'markdown'])) {
      for (const allowedHosts of payload.namesHost ? [ALLOWED_HOSTS] : [[], ALLOWED_HOSTS]) {
        const options = { mode, rendering, allowedHosts };
        judge(payload, `${mode} ${rendering}${allowedHosts.length > 0 ? ' hosts' : ''}`, options);
      }
    }
  }
  done++;
  if (done % 200 === 0)
    console.log(`${done} payloads, ${failures.length} failures (${Math.round(performance.now() / 1000)} s)`);
}
// Under `text`, nothing is rendered; neither HTML nor Markdown may change.
for (const payload of payloads) {
  if (!isMarkupChanged(payload.text)) passed++;
  else failures.push({ payload, how: 'text', sanitized: '', renderer: 'plain text', acts: ['changed'] });
}

const shown = Number(values.show ?? 40);
const byRenderer = new Map();
for (const { renderer, payload } of failures) {
  if (!byRenderer.has(renderer)) byRenderer.set(renderer, new Set());
  byRenderer.get(renderer).add(payload.text);
}
const seen = new Set();
for (const { payload, how, sanitized, renderer, acts } of failures) {
  if (seen.has(payload.text) || seen.size >= shown) continue;
  seen.add(payload.text);
  console.log(`FAILED ${payload.family} | ${how} | ${renderer} | ${acts.join(', ')}`);
  console.log(`  ${JSON.stringify(payload.text)}\n  ${JSON.stringify(sanitized)}`);
}
console.log('payloads that act, by renderer:');
for (const [renderer, texts] of [...byRenderer].toSorted((a, b) => b[1].size - a[1].size)) {
  console.log(`  ${renderer}: ${texts.size}`);
}
console.log(
  `${new Set(failures.filter(({ how }) => how !== 'text').map(({ payload }) => payload.text)).size} payloads of ${payloads.length} act after sanitizing; ${MERMAID_PAYLOADS.length} Mermaid payloads are left to browser.mjs`,
);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;

function judge(payload, how, options) {
  const whole = sanitize(payload.text, options).text;
  check(payload, how, whole, options);
  if (sanitize(whole, options).text !== whole) {
    failures.push({
      payload,
      how: `${how}, again`,
      sanitized: whole,
      renderer: 'sanitizer',
      acts: ['not idempotent'],
    });
  }
  if (values['no-stream'] || options.allowedHosts.length > 0 !== payload.namesHost) return;
  const texts = new Set();
  for (const size of SPLITS) {
    const released = sanitizeChunks(chunksOf(payload.text, size), options);
    if (released.join('') !== whole) {
      failures.push({
        payload,
        how: `${how}, chunks of ${size}`,
        sanitized: released.join(''),
        renderer: 'stream',
        acts: ['differs from the whole'],
      });
    }
    if (isAll || size === SPLITS[1]) for (const prefix of prefixesOf(released)) texts.add(prefix);
  }
  const longer = BEFORE + payload.text + AFTER;
  const streamed = prefixesOf(sanitizeChunks(chunksOf(longer, 9), options));
  // The words after the payload are shown one by one, and add nothing.
  const end = longer.length - AFTER.length + MARGIN;
  for (const [index, prefix] of streamed.entries())
    if (prefix.length < end || index === streamed.length - 1) texts.add(prefix);
  texts.delete(whole);
  for (const prefix of isAll ? texts : somePrefixesOf(texts, options))
    check(payload, `${how}, prefix`, prefix, options);
}

function check(payload, how, sanitized, { rendering, allowedHosts }) {
  const found = failuresOf(sanitized, { rendering, allowedHosts, inCode: payload.inCode });
  if (found.length === 0) passed++;
  for (const { renderer, acts } of found) failures.push({ payload, how, sanitized, renderer, acts });
}
