import { decodeMatches, type Decoded } from './decoder.js';

const REFERENCE =
  /&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|lt|gt|amp|quot|apos|nbsp|shy|colon|period|excl|num|lowbar|sol);?/gi;

const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  colon: ':',
  period: '.',
  excl: '!',
  num: '#',
  lowbar: '_',
  sol: '/',
};

/** HTML's character references: by number, and the few names that stand in ordinary text. */
export function entities(text: string): Iterable<Decoded> {
  return decodeMatches(text, REFERENCE, (reference) => {
    const name = reference.replace(/^&/, '').replace(/;$/, '').toLowerCase();
    if (!name.startsWith('#')) return NAMED[name] ?? null;
    const codePoint = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : null;
  });
}
