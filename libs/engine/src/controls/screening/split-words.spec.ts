import { describe, expect, it } from '@jest/globals';
import { LinearRegex } from '../../patterns/linear-regex.js';
import { runToEnd } from '../../shared/resumable.js';
import { joined, joinedLines } from './split-words.js';
import { Vocabulary } from '../../text/vocabulary.js';

const vocabulary = runToEnd(Vocabulary.of([LinearRegex.compile('instructions')]));

describe('words that are split', () => {
  it.each([
    ['lines', 'x\n', joinedLines],
    ['hyphens', 'x-', joined],
    ['marks', 'x*', joined],
  ])('are looked up with at most 64 letters, however often they are split: %s', (_, unit, decoder) => {
    const lengths: number[] = [];
    const counting = new Proxy(vocabulary, {
      get: (target, name) =>
        name === 'isSplit'
          ? (left: string, right: string) => {
              lengths.push(left.length);
              return target.isSplit(left, right);
            }
          : Reflect.get(target, name, target),
    });
    expect([...decoder(unit.repeat(5_000), counting)]).not.toContainEqual(expect.anything());
    expect(lengths.length).toBeGreaterThan(1_000);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(64);
  });

  it('are joined at each of their seams', () => {
    const text = 'ig-nore in-struc-tions';
    expect([...joined(text, vocabulary)].map((part) => part?.start)).toEqual([2, 10, 16]);
  });
});
