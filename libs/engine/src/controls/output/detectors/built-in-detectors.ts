import type { Detector } from '#contracts/output/output.js';
import { contactDetectors, emailDetector } from './contact.detectors.js';
import { nationalIdDetectors } from './national-id.detectors.js';
import { cardDetector, ibanDetector } from './payment.detectors.js';
import { secretDetectors } from './secret.detectors.js';

/** If two detectors find the same text, the finding has the id of the earlier one: secrets first, specific before general. */
export const builtInDetectors: readonly Detector[] = [
  ...secretDetectors,
  emailDetector,
  cardDetector,
  ibanDetector,
  ...nationalIdDetectors,
  ...contactDetectors,
];
