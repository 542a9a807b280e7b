import { oracle } from './oracle.mjs';

/**
 * @typedef {readonly [number, number]} Span
 * @typedef {object} Scanner
 * @property {(text: string, hosts: readonly string[]) => { found: readonly Span[], edited: readonly Span[] }} look once
 * @property {(text: string, hosts: readonly string[]) => string} clean
 */

/**
 * What micromark sees and the policy forbids, the scanner sees too, and nothing of it is left afterwards; what
 * micromark takes for code is not touched.
 *
 * @param {Scanner} scanner
 * @param {string} text
 * @param {readonly string[]} hosts
 */
export function compared(scanner, text, hosts) {
  const { seen, code } = oracle(text, hosts);
  const forbidden = seen.filter((one) => one.forbidden);
  const { found: spans, edited } = scanner.look(text, hosts);
  const clean = scanner.clean(text, hosts);
  const left = clean === text ? forbidden : oracle(clean, hosts).seen.filter((one) => one.forbidden);
  return {
    forbidden: forbidden.length,
    unseen: forbidden.filter((one) => !places(one, seen).some((place) => spans.some(meets(place.span)))),
    inexact: forbidden.filter(
      (one) => !places(one, seen).some((place) => spans.some(isExactly(place, text))),
    ),
    left,
    touched: code.filter(({ span }) => edited.some(meets(span))),
    spans,
    clean,
  };
}

/** Of what refers to a definition, that as well: without it the reference is only text. */
function places(one, seen) {
  if (one.label === null) return [one];
  return [one, ...seen.filter(({ kind, label }) => kind === 'definition' && label === one.label)];
}

function meets(/** @type {Span} */ [start, end]) {
  return (/** @type {Span} */ span) => span[0] < end && span[1] > start;
}

/** Of a definition the title may stay, or all but its brackets. */
function isExactly({ kind, span: [start, end] }, text) {
  return (/** @type {Span} */ span) => {
    if (span[0] !== start) return false;
    if (kind !== 'definition') return span[1] === end;
    return span[1] <= end && (text[span[1]] === ':' || text.slice(start, span[1]).includes(']:'));
  };
}
