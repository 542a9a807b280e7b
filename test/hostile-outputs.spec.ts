import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, Settings } from '../libs/contracts/src/settings/settings.js';
import { Sanitiser } from '../libs/engine/src/output/sanitiser.js';
import { OUTPUT_FAMILIES } from './fuzz/hostile-outputs.mjs';
import { countReadUnits, unitsReadBy } from './fuzz/read-units.mjs';

const SETTINGS = new Settings(DEFAULT_SETTINGS);
const SHORT = 2 ** 14;
const LONG = 2 ** 15;

/** `npm run fuzz:outputs` goes on up to a megabyte, in both HTML modes. */
describe('a text that was built to make sanitising slow', () => {
  beforeAll(countReadUnits);

  it.each(OUTPUT_FAMILIES)('is read as often as any other: %s', (_, text) => {
    const sanitiser = new Sanitiser([]);
    const [short, long] = [SHORT, LONG].map((length) => {
      const output = text(length);
      return unitsReadBy(() => sanitiser.sanitise(output, SETTINGS)) / length;
    });
    expect((long ?? 0) / (short ?? 1)).toBeLessThanOrEqual(1.15);
  });
});
