import { describe, expect, it } from '@jest/globals';
import { csvCell } from './export-lines.js';

describe('a cell of CSV', () => {
  it.each([
    ['plain', '"plain"'],
    ['', '""'],
    ['a "quoted", text', '"a ""quoted"", text"'],
    ['1+1', '"1+1"'],
    ['a=b', '"a=b"'],
    [null, ''],
    [undefined, ''],
    [7, '7'],
    [true, 'true'],
  ])('contains %p unchanged', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it.each([
    ['=1+1', `"'=1+1"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@sum(a1)', `"'@sum(a1)"`],
    ['\uFF1D1', `"'\uFF1D1"`],
    [' \u00A0=1', `"' \u00A0=1"`],
    ['"=1"', `"'""=1"""`],
    [`'=1`, `"''=1"`],
    ['\t=1', `"\t'=1"`],
    ['a;=1', `"a;'=1"`],
    ['a;"=1"', `"a;'""=1"""`],
    ['a,=1|-2', `"a,'=1|'-2"`],
    ['a\r\n@b', `"a\r\n'@b"`],
    ['==1', `"'==1"`],
  ])('starts no formula: %p', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it('is linear in texts of separators and blanks', () => {
    const text = `${';'.repeat(500_000)}${' '.repeat(500_000)}`;
    expect(csvCell(text)).toHaveLength(text.length + 2);
  });
});
