// Renders one text in every renderer that is supported under a rendering, and reports what acts.
import { actsOf } from './inspect.mjs';
import { RENDERERS } from './renderers.mjs';

/** @typedef {{ renderer: string, acts: string[] }} Failure */

// KaTeX warns of every character that its fonts lack.
console.warn = () => {};

const MAX_KEPT = 5000;
/** @type {Map<string, string | null>} */
const rendered = new Map();

/** `null` if the renderer throws; a page then shows nothing. */
export function render(renderer, text) {
  const key = `${renderer.name}\n${text}`;
  let html = rendered.get(key);
  if (html === undefined) {
    try {
      html = renderer.render(text);
    } catch {
      html = null;
    }
    if (rendered.size >= MAX_KEPT) rendered.clear();
    rendered.set(key, html);
  }
  return html;
}

/** @type {Map<string, string[]>} */
const judged = new Map();

/** Many renderers produce the same HTML, and many options the same text. */
function knownActsOf(html, allowedHosts, isMath) {
  const key = `${isMath} ${allowedHosts.join(' ')}\n${html}`;
  let acts = judged.get(key);
  if (acts === undefined) {
    acts = actsOf(html, { allowedHosts, isMath });
    if (judged.size >= MAX_KEPT) judged.clear();
    judged.set(key, acts);
  }
  return acts;
}

/**
 * @param {string} text
 * @param {object} options
 * @param {'any' | 'markdown' | 'unsanitized'} options.rendering
 * @param {readonly string[]} [options.allowedHosts]
 * @param {boolean} [options.inCode] The text has code, where renderers without code are not judged under `markdown`.
 * @param {boolean} [options.isFuzz] Leaves out the slow renderers.
 * @param {string} [options.only] The name of the only renderer to judge.
 * @returns {Failure[]}
 */
export function failuresOf(text, { rendering, allowedHosts = [], inCode = true, isFuzz = false, only }) {
  const failures = [];
  for (const renderer of RENDERERS) {
    if (only !== undefined && renderer.name !== only) continue;
    if (!isJudged(renderer, { rendering, inCode, isFuzz })) continue;
    const html = render(renderer, text);
    if (html === null) continue;
    const acts = knownActsOf(html, allowedHosts, renderer.isMath);
    if (acts.length > 0) failures.push({ renderer: renderer.name, acts });
  }
  return failures;
}

function isJudged(renderer, { rendering, inCode, isFuzz }) {
  if (isFuzz && renderer.isSlow) return false;
  if (rendering !== 'markdown') return true;
  return renderer.underMarkdown && !(renderer.readsCode && inCode);
}

/**
 * The smallest text, found by leaving out parts, that still fails.
 * @param {string} text
 * @param {(text: string) => boolean} fails
 */
export function minimized(text, fails) {
  let best = text;
  let tries = 0;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length && tries < 2000;) {
      const shorter = best.slice(0, at) + best.slice(at + size);
      tries++;
      if (shorter !== '' && fails(shorter)) best = shorter;
      else at += size;
    }
  }
  return best;
}
