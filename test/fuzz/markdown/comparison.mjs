import { oracle } from './oracle.mjs';

/**
 * @typedef {readonly [number, number]} Span
 * @typedef {object} Scanner
 * @property {(text: string, hosts: readonly string[]) => readonly Span[]} find the spans of the findings
 * @property {(text: string, hosts: readonly string[]) => string} clean
 */

/**
 * Compares the scanner with micromark: the scanner must find every link and image that micromark finds and the policy
 * forbids, and none may be left in the sanitized text.
 *
 * @param {Scanner} scanner
 * @param {string} text
 * @param {readonly string[]} hosts
 */
export function compared(scanner, text, hosts) {
  const seen = oracle(text, hosts);
  const forbidden = seen.filter((one) => one.forbidden);
  const spans = scanner.find(text, hosts);
  const clean = scanner.clean(text, hosts);
  const left = clean === text ? forbidden : oracle(clean, hosts).filter((one) => one.forbidden);
  return {
    forbidden: forbidden.length,
    unseen: forbidden.filter((one) => !places(one, seen).some((place) => spans.some(meets(place.span)))),
    inexact: forbidden.filter(
      (one) => !places(one, seen).some((place) => spans.some(isExactly(place, text))),
    ),
    left,
  };
}

/** The place itself and, for a reference, its definitions: without them the reference is plain text. */
function places(one, seen) {
  if (one.label === null) return [one];
  return [one, ...seen.filter(({ kind, label }) => kind === 'definition' && label === one.label)];
}

function meets(/** @type {Span} */ [start, end]) {
  return (/** @type {Span} */ span) => span[0] < end && span[1] > start;
}

/** For a definition, the finding may exclude the title, or cover only the brackets. */
function isExactly({ kind, span: [start, end] }, text) {
  return (/** @type {Span} */ span) => {
    if (span[0] !== start) return false;
    if (kind !== 'definition') return span[1] === end;
    return span[1] <= end && (text[span[1]] === ':' || text.slice(start, span[1]).includes(']:'));
  };
}
