/** Texts that scanners which look again and again, or try every way, lose their way in. */

const fill = (/** @type {string} */ unit) => (/** @type {number} */ length) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

const beginning =
  (/** @type {string} */ start, /** @type {string} */ unit) => (/** @type {number} */ length) =>
    start + fill(unit)(length - start.length);

/** @type {readonly (readonly [name: string, text: (length: number) => string])[]} */
export const OUTPUT_FAMILIES = [
  // Markdown
  ['line ends', fill('\n')],
  ['line ends of two characters', fill('\r\n')],
  ['paragraphs of one letter', fill('x\n\n')],
  ['open brackets', fill('[')],
  ['open images', fill('![')],
  ['closed brackets', fill(']')],
  ['targets without a link', fill('](')],
  ['labels without a link', fill('][')],
  ['definitions without an end', fill(']:')],
  ['images without a target', fill('![](')],
  ['targets in open angles', fill('[a](<')],
  ['titles without an end', fill('](x "')],
  ['titles of escapes', beginning('](x "', '\\"')],
  ['parentheses', fill('](((')],
  ['images in images', fill('![[](javascript:x)](y)')],
  ['ticks', fill('`')],
  ['runs of ticks', fill('` `` ``` ')],
  ['fences', fill('```a\n')],
  ['a fence without an end', beginning('```\n', '![a](b)\n')],
  ['quotes in quotes', fill('> ')],
  ['lists in lists', fill('- ')],
  ['backslashes', fill('\\')],
  ['schemes', fill('[a](javascript:')],
  ['schemes in entities', beginning('[a](', '&#1')],
  ['schemes in percent signs', beginning('[a](', '%25')],
  ['one long label', beginning('[', 'a ')],
  // HTML
  ['angles', fill('<')],
  ['tags without an end', fill('<a')],
  ['attributes without an end', beginning('<a ', 'b="')],
  ['one long attribute', beginning('<a href="', 'x')],
  ['comments', fill('<!--')],
  ['sections', fill('<![CDATA[')],
  ['paragraphs', fill('<p>')],
  ['formats within formats', fill('<b><i>')],
  ['formats across blocks', fill('<b><p>')],
  ['links within links', fill('<a href=x>')],
  ['tables', fill('<table><tr><td>')],
  ['closing tags', fill('</p>')],
  ['entities', fill('&amp;&#x6a;&lt')],
  // Secrets and personal data
  ['digits', fill('1')],
  ['digits and blanks', fill('1 ')],
  ['digits and dashes', fill('1-')],
  ['digits and dots', fill('1.')],
  ['calls from abroad', fill('+1')],
  ['accounts', fill('GB82 ')],
  ['base64', fill('aB3/')],
  ['hex', fill('deadbeef')],
  ['at signs', fill('@')],
  ['addresses', fill('a@')],
  ['domains', fill('a.')],
  ['colons', fill('::')],
  ['connections', fill('a://b:')],
  ['names of secrets', fill('token=')],
  ['beginnings of keys', fill('-----BEGIN PRIVATE KEY-----')],
  ['a key without an end', beginning('-----BEGIN PRIVATE KEY-----\n', 'aB3/')],
  ['beginnings of tokens', fill('eyJaaaaaa.')],
  ['placeholders', fill('[email]')],
  ['blanks', fill(' ')],
];
