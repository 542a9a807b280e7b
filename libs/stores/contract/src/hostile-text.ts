/** Texts that UTF-8 or PostgreSQL cannot store, each with its stored form. */
export const UNSTORABLE_TEXTS = [
  { name: 'NUL', given: 'a\u0000b', kept: 'a\uFFFDb' },
  { name: 'a lone high surrogate', given: 'a\uD83Db', kept: 'a\uFFFDb' },
  { name: 'a lone low surrogate', given: 'a\uDE00b', kept: 'a\uFFFDb' },
] as const;

/** Well-formed text that is stored unchanged: emoji, joiners, right-to-left, combining marks, quotes, escapes, line ends. */
export const UNUSUAL_TEXT =
  '👩‍👩‍👧 \u202Eשלום\u202C e\u0301 \uFEFF\u200B "double" \'single\' \\u0000 \\ $1 :name ? \t\r\n {"a":1} 漢字 😀';

/** Characters with a meaning in LIKE, regular expressions, JSON or SQL. */
export const PATTERN_CHARACTERS = [
  '%',
  '_',
  '\\',
  "'",
  '"',
  '[',
  ']',
  '*',
  '.',
  '?',
  '^',
  '$',
  '(',
  '|',
  '{',
  '+',
  '#',
  ';',
  '--',
  '\n',
] as const;

/** Non-ASCII text that does not compress well, longer than an index entry may be. */
export const LONG_TEXT = Array.from({ length: 2_000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7_919 + ((index * index) % 8_191)) % 20_000)),
).join('');
