import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { Sanitizer } from '#engine/controls/output/sanitizer.js';
import { OUTPUT_FAMILIES } from '../fuzz/hostile-outputs.mjs';
import { countReadUnits, unitsReadBy } from '../fuzz/read-units.mjs';

const SETTINGS = new Settings(DEFAULT_SETTINGS);
const LENGTHS = [2 ** 12, 2 ** 13, 2 ** 14];

/** Every fifth family. `npm run x -- fuzz:outputs` runs all of them, up to a megabyte, in both HTML modes. */
const FAMILIES = OUTPUT_FAMILIES.filter((_, index) => index % 5 === 0);

describe('a text built to slow down sanitizing', () => {
  beforeAll(countReadUnits);

  it.each(FAMILIES)('is read no more often than other texts: %s', (_, text) => {
    const sanitizer = new Sanitizer([]);
    const [short = 0, twice = 0, long = 0] = LENGTHS.map((length) => {
      const output = text(length);
      return unitsReadBy(() => sanitizer.sanitize(output, SETTINGS));
    });
    // Twice the text is twice the work; quadratic work would be four times as much.
    expect((long - twice) / (twice - short)).toBeLessThanOrEqual(2.6);
  });
});
