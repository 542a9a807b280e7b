// Random texts in all HTML modes, renderings and Markdown renderers. Checks that
// - what is released is inert: the whole, and every released prefix of a stream;
// - a stream releases the same text as the whole, at random splits;
// - sanitizing again changes nothing;
// - under `text`, neither HTML nor Markdown changes.
import { parseArgs } from 'node:util';
import { Random, seedFrom } from '../fuzz/random.mjs';
import {
  ALLOWED_HOSTS,
  HTML_MODES,
  RENDERINGS,
  hasRendering,
  isMarkupChanged,
  prefixesOf,
  sanitize,
  sanitizeChunks,
} from './engine.mjs';
import { failuresOf, minimized } from './judge.mjs';
import { randomText } from './random-texts.mjs';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, texts: { type: 'string' }, show: { type: 'string' } },
});
const seed = seedFrom(values.seed);
const count = Number(values.texts ?? 5000);
const shown = Number(values.show ?? 20);
const MAX_PREFIXES = 3;
const renderings = hasRendering ? RENDERINGS : /** @type {const} */ (['any', 'markdown']);

const random = new Random(seed);
let passed = 0;
let failed = 0;
let failedTexts = 0;
/** @type {Map<string, number>} */
const byRenderer = new Map();

for (let number = 1; number <= count; number++) {
  const text = randomText(random);
  const allowedHosts = random.next() < 0.3 ? ALLOWED_HOSTS : [];
  const streamed = random.below(HTML_MODES.length * 2);
  let isFirst = true;
  let combination = 0;
  for (const mode of HTML_MODES) {
    for (const rendering of renderings) {
      const options = { mode, rendering, allowedHosts };
      const released = sanitizeChunks(split(text, random), options);
      const failure = problemOf(text, options, released, combination++ === streamed);
      if (failure === null) {
        passed++;
        continue;
      }
      failed++;
      for (const renderer of new Set(failure.renderers))
        byRenderer.set(renderer, (byRenderer.get(renderer) ?? 0) + 1);
      if (isFirst) failedTexts++;
      if (isFirst && failedTexts <= shown) report(number, text, options, failure);
      isFirst = false;
    }
  }
  if (number % 500 === 0) {
    console.log(`${number} texts, ${failedTexts} of them fail (${Math.round(performance.now() / 1000)} s)`);
  }
}
for (const [renderer, times] of [...byRenderer].toSorted((a, b) => b[1] - a[1]))
  console.log(`  ${renderer}: ${times}`);
console.log(`${failedTexts} of ${count} texts fail in at least one HTML mode and rendering`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function split(text, numbers) {
  const most = numbers.one([1, 3, 10, 40, 400]);
  const chunks = [];
  for (let at = 0; at < text.length;) {
    const end = at + 1 + numbers.below(most);
    chunks.push(text.slice(at, end));
    at = end;
  }
  return chunks;
}

/** The first error in a text, or `null`. */
function problemOf(text, options, released, withPrefixes) {
  const { text: whole } = sanitize(text, options);
  if (released.join('') !== whole)
    return { kind: 'stream differs', renderers: ['stream'], acts: [], shows: released.join('') };
  if (sanitize(whole, options).text !== whole)
    return { kind: 'not idempotent', renderers: ['sanitizer'], acts: [], shows: whole };
  if (options.rendering === 'text') {
    return isMarkupChanged(text) ? { kind: 'changed', renderers: ['text'], acts: [], shows: whole } : null;
  }
  const prefixes = withPrefixes ? prefixesOf(released).slice(-MAX_PREFIXES - 1, -1) : [];
  for (const shows of [whole, ...prefixes]) {
    const failures = failuresOf(shows, { ...options, isFuzz: true });
    if (failures.length === 0) continue;
    return {
      kind: shows === whole ? 'acts' : 'prefix acts',
      renderers: failures.map(({ renderer }) => renderer),
      acts: failures[0]?.acts ?? [],
      shows,
    };
  }
  return null;
}

function report(number, text, options, { kind, renderers, acts, shows }) {
  const { mode, rendering, allowedHosts } = options;
  console.log(
    `FAILED text ${number}, ${mode}, ${rendering}${allowedHosts.length > 0 ? ', allowed hosts' : ''}: ${kind}: ${acts.join(', ')} (${renderers.join('; ')})`,
  );
  const fails = (candidate) => {
    if (kind !== 'acts') return false;
    return (
      failuresOf(sanitize(candidate, options).text, { ...options, isFuzz: true, only: renderers[0] }).length >
      0
    );
  };
  const smallest = minimized(text, fails);
  console.log(
    `  ${JSON.stringify(smallest)}\n  becomes ${JSON.stringify(kind === 'acts' ? sanitize(smallest, options).text : shows)}`,
  );
}
