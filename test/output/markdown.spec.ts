import { describe, expect, it } from '@jest/globals';
import * as settings from '../../libs/contracts/src/settings/settings.js';
import * as sanitizer from '../../libs/engine/src/controls/output/sanitizer.js';
import { EXAMPLES, examples, hostile, orderly } from '../fuzz/markdown/families.mjs';
import { scannerOf } from '../fuzz/markdown/scanner.mjs';
import { Random } from '../fuzz/random.mjs';

const scanner = scannerOf({ ...settings, ...sanitizer });

/** `npm run x -- fuzz:markdown` runs many more. */
describe('forbidden links and images that micromark finds', () => {
  it('are removed in all examples of CommonMark and GFM', () => {
    expect(examples(scanner)).toMatchObject({ texts: 2 * EXAMPLES.length, failures: [] });
  });

  it.each([
    ['orderly texts', orderly],
    ['texts built to be read in two ways', hostile],
  ])('are removed in %s', (_, family) => {
    expect(family(scanner, new Random(20_240_229), 200)).toMatchObject({ texts: 200, failures: [] });
  });
});
