import { PatternDetector } from './pattern-detector.js';

/** Words before which four numbers with dots are a version or a chapter. */
const NUMBERS_SOMETHING_ELSE = /(?:\bv|\bversion|\brelease|\bsection|\bchapter|§)[ .]?$/i;
/** Addresses that are the same for everybody tell nothing about anybody. */
const EVERYBODYS = /^(?:0\.|127\.|255\.255\.255\.255)/;

export const ipv4Detector = new PatternDetector(
  'ipv4',
  'pii_redaction',
  /(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w]|\.\d)/,
  {
    hints: ['.'],
    accepts: (found, before) => !EVERYBODYS.test(found) && !NUMBERS_SOMETHING_ELSE.test(before),
  },
);

export const ipv6Detector = new PatternDetector(
  'ipv6',
  'pii_redaction',
  /(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w:])/,
  { hints: ['::', ':'], accepts: isPlausibleIpv6 },
);

/** Eight groups, or fewer around one `::`. Two groups are more often a name in C++ than an address. */
function isPlausibleIpv6(found: string): boolean {
  const sides = found.split('::');
  const groups = sides.flatMap((side) => (side === '' ? [] : side.split(':')));
  if (sides.length > 2 || groups.includes('')) return false;
  return sides.length === 2 ? groups.length >= 3 && groups.length <= 7 : groups.length === 8;
}
