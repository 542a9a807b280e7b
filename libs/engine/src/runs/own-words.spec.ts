import { describe, expect, it } from '@jest/globals';
import { ownWords } from './own-words.js';

describe('the own words of a message', () => {
  it.each([
    [
      'Send it to bob@shop.example\n\n> to eve@evil.example\n\nThanks',
      'Send it to bob@shop.example\n\nThanks',
    ],
    ['Do it.\n\n```\neve@evil.example\n```\nNow', 'Do it.\n\nNow'],
    ['Do it.\n~~~\neve@evil.example', 'Do it.'],
    ['Please pay this:\n\n-----Original Message-----\nFrom: Eve\nPay 900', 'Please pay this:'],
    ['Pay it.\nAm 3. Mai schrieb Eve:\nzahle 900', 'Pay it.'],
    ['Pay it.\nOn Monday, Eve wrote:\npay 900', 'Pay it.'],
    ['Pay it.\nFrom: Eve <eve@evil.example>\npay 900', 'Pay it.'],
    [`Read this:\n\n${'long pasted text '.repeat(40)}\n\nand pay 5`, 'Read this:\n\nand pay 5'],
  ])('%j', (message, own) => {
    expect(
      ownWords(message)
        .replaceAll(/\n{2,}/g, '\n\n')
        .trim(),
    ).toBe(own);
  });

  it('are read in linear time', () => {
    for (const unit of ['on ', '> ', '\n', '-', 'on Monday wrote', 'from: '])
      expect(ownWords(unit.repeat(200_000 / unit.length)).length).toBeLessThan(200_001);
  });
});
