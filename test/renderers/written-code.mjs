// Answers with code in every place where writers put it. It must be shown, and copied, as it was written.

const FENCE = (prefix, first = prefix, end = '\n') =>
  [`${first}\`\`\`ts`, `${prefix}cat <file> | sort`, `${prefix}a <int>;`, `${prefix}\`\`\``, ''].join(end);

/** @type {readonly (readonly [place: string, text: string, code: string])[]} */
export const WRITTEN_CODE = [
  ['a fence in a quote', `See:\n\n${FENCE('> ')}> and \`A<int>\`\n`, 'cat <file> | sort'],
  ['a fence in a quote in a quote', `${FENCE('>> ')}\nand more`, 'cat <file> | sort'],
  ['a blank line of a fence in a quote', '> ```\n> cat <file>\n>\n> a <int>\n> ```\n', 'a <int>'],
  ['a fence in a list in a quote', `> - Run:\n${FENCE('>   ')}\nthen`, 'cat <file> | sort'],
  ['a fence in a quote in a list', `- Run:\n\n${FENCE('  > ')}\nthen`, 'cat <file> | sort'],
  ['a fence with CRLF', `Run:\r\n\r\n${FENCE('', '', '\r\n')}\r\nthen \`A<int>\`\r\n`, 'cat <file> | sort'],
  ['a fence in a quote with CRLF', `${FENCE('> ', '> ', '\r\n')}\r\nthen`, 'cat <file> | sort'],
  ['a fence indented by two under a number', `1. Run:\n\n${FENCE('  ')}2. then`, 'cat <file> | sort'],
  ['a fence indented by four under a hyphen', `- Run:\n\n${FENCE('    ')}- then`, 'cat <file> | sort'],
  ['indented code', 'Run:\n\n    cat <file>\n    a <int>\n\n    b <T>\n\nthen', 'b <T>'],
  ['indented code with CRLF', 'Run:\r\n\r\n    cat <file>\r\n    a <int>\r\n\r\nthen', 'a <int>'],
  ['code indented by a tab', 'Run:\n\n\tcat <file>\n\nthen', 'cat <file>'],
  ['inline code over two lines', 'Use `Map<K,\nArray<V>>` here.', 'Array<V>>'],
  ['inline code after a sign in prose', 'If a<b, use `Map<K, V>` here.', 'Map<K, V>'],
  ['inline code between two signs in prose', 'If a<i and `Map<K, V>` or c>d', 'Map<K, V>'],
  ['a bar in code in a table', '| a | b |\n|---|---|\n| `a \\| b <c>` | x |\n', 'b <c>'],
  ['two types in code in a table', '| a | b |\n|---|---|\n| `Array<A \\| B>` | x |\n', ' B>'],
  ['a path after a price', 'It costs $5; see `C:\\dir\\<x>` there.', 'C:\\dir\\<x>'],
  ['a path between two prices', 'It costs $5; see `C:\\dir\\<x>`, or $6.', 'C:\\dir\\<x>'],
  ['a backslash in double ticks', 'Use ``a\\<int>`` here.', 'a\\<int>'],
  ['a backtick in double ticks', 'Use ``a`<int>`` or `` `B<int>` `` here.', '`B<int>`'],
  ['code after a formula', 'If \\( a<b \\), `Map<K, V>` is right.', 'Map<K, V>'],
];
