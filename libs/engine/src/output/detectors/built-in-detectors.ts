import type { Detector } from '../../../../contracts/src/output.js';
import { assignedSecretDetector, bearerTokenDetector } from './assigned-secret.detector.js';
import { cardDetector } from './card.detector.js';
import { connectionStringDetector } from './connection-string.detector.js';
import { emailDetector } from './email.detector.js';
import { ibanDetector } from './iban.detector.js';
import { ipv4Detector, ipv6Detector } from './ip-address.detector.js';
import { jwtDetector } from './jwt.detector.js';
import { americanPhoneDetector, internationalPhoneDetector } from './phone.detector.js';
import { privateKeyDetector } from './private-key.detector.js';
import { usSsnDetector } from './us-ssn.detector.js';
import {
  awsAccessKeyDetector,
  githubTokenDetector,
  googleApiKeyDetector,
  modelKeyDetector,
  slackTokenDetector,
  stripeKeyDetector,
} from './vendor-key.detectors.js';

/** In this order: where two find the same text, the earlier one names it. Secrets first, the particular before the general. */
export const builtInDetectors: readonly Detector[] = [
  privateKeyDetector,
  connectionStringDetector,
  jwtDetector,
  awsAccessKeyDetector,
  githubTokenDetector,
  slackTokenDetector,
  modelKeyDetector,
  googleApiKeyDetector,
  stripeKeyDetector,
  bearerTokenDetector,
  assignedSecretDetector,
  emailDetector,
  cardDetector,
  ibanDetector,
  usSsnDetector,
  internationalPhoneDetector,
  americanPhoneDetector,
  ipv4Detector,
  ipv6Detector,
];
