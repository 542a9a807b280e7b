// The only file that calls the engine. When its API changes, change this file.
import { existsSync } from 'node:fs';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';

const OUTPUT = new URL('../../dist/libs/engine/src/controls/output/', import.meta.url);
const file = ['sanitizer.js', 'sanitiser.js']
  .map((name) => new URL(name, OUTPUT))
  .find((url) => existsSync(url));
if (file === undefined) throw new Error('The engine is not built. Run `npx tsc -b libs/engine` first.');
const module = await import(file.href);
const { runToEnd } = await import(new URL('../resumable.js', OUTPUT).href);
const sanitizer = new (module.Sanitizer ?? module.Sanitiser)([]);

export const HTML_MODES = /** @type {const} */ (['escape', 'allowlist']);
export const RENDERINGS = /** @type {const} */ (['any', 'markdown', 'text']);

/** Hosts for the cases with an allow-list. */
export const ALLOWED_HOSTS = ['docs.example.com', '*.allowed.example'];

/**
 * @typedef {object} Options
 * @property {'escape' | 'allowlist'} mode
 * @property {'any' | 'markdown' | 'text'} rendering
 * @property {readonly string[]} [allowedHosts]
 */

const known = new Map();

/** @param {Options} options */
function settingsOf({ mode, rendering, allowedHosts = [] }) {
  const key = `${mode} ${rendering} ${allowedHosts.join(' ')}`;
  let settings = known.get(key);
  if (settings === undefined) {
    const values = {
      ...DEFAULT_SETTINGS,
      'output_handler.html_mode': mode,
      'output_handler.allowed_hosts': allowedHosts,
    };
    if ('output_handler.rendering' in DEFAULT_SETTINGS) values['output_handler.rendering'] = rendering;
    settings = new Settings(values);
    known.set(key, settings);
  }
  return settings;
}

/**
 * The whole text at once.
 * @param {string} text
 * @param {Options} options
 * @returns {{ text: string, findings: readonly { kind: string }[] }}
 */
export function sanitize(text, options) {
  const settings = settingsOf(options);
  const { rendering } = options;
  return sanitizer.sanitize === undefined
    ? sanitizer.sanitise(text, settings, { rendering })
    : sanitizer.sanitize(text, settings, { rendering });
}

/** Under the default settings. @param {string} text */
export function sanitizeByDefault(text) {
  return sanitizer.sanitize(text, new Settings(DEFAULT_SETTINGS));
}

/**
 * The text in chunks. Returns every part in the order in which it was released.
 * @param {readonly string[]} chunks
 * @param {Options} options
 * @returns {string[]}
 */
export function sanitizeChunks(chunks, options) {
  const stream = sanitizer.begin(settingsOf(options), { rendering: options.rendering });
  const released = chunks.map((chunk) => runToEnd(stream.push(chunk)));
  return [...released, runToEnd(stream.end())].filter((part) => part !== '');
}

/**
 * Every text that a reader of the stream has seen, from the first released part to the whole.
 * @param {readonly string[]} released
 */
export function prefixesOf(released) {
  let prefix = '';
  return released.map((part) => (prefix += part));
}

/** A payload has four streams: each time another of them has its turn. */
const STREAMS_PER_TURN = 5;
let streams = 0;

/**
 * The prefixes that are rendered: of each fifth stream one, at another place each time, and of every stream each that
 * the sanitizer would change. All others are texts that it returns for themselves, as are the whole texts, which are all
 * rendered.
 * @param {Iterable<string>} prefixes
 * @param {Options} options
 */
export function somePrefixesOf(prefixes, options) {
  const all = [...prefixes];
  const turn = streams++ / STREAMS_PER_TURN;
  return all.filter(
    (prefix, index) => index === turn % all.length || sanitize(prefix, options).text !== prefix,
  );
}

/** Whether the engine has the option `rendering`. Without it, all renderings behave the same. */
export const hasRendering =
  sanitize('<h1>', { mode: 'escape', rendering: 'text' }).text === '<h1>' &&
  sanitize('<h1>', { mode: 'escape', rendering: 'any' }).text !== '<h1>';

if (!hasRendering) {
  console.log(
    'NOTE: this engine has no option `rendering`; `markdown` and `text` behave like its only rendering.',
  );
}

/** @param {string} text @param {number} size */
export function chunksOf(text, size) {
  const chunks = [];
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size));
  return chunks;
}

const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Whether HTML or Markdown was changed, which must not happen under `text`. Control characters may be removed there.
 * @param {string} text
 */
export function isMarkupChanged(text) {
  const { text: clean, findings } = sanitize(text, { mode: 'escape', rendering: 'text' });
  // Redaction changes texts for another reason.
  if (findings.some(({ kind }) => kind === 'pii_redaction' || kind === 'secret_redaction')) return false;
  return clean.replace(CONTROLS, '') !== text.replace(CONTROLS, '');
}
