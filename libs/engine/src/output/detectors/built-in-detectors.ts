import type { Detector } from '../../../../contracts/src/output.js';
import {
  assignedSecretDetector,
  basicCredentialsDetector,
  bearerTokenDetector,
  commandLineSecretDetector,
} from './assigned-secret.detector.js';
import { cardDetector } from './card.detector.js';
import { connectionStringDetector } from './connection-string.detector.js';
import { emailDetector } from './email.detector.js';
import { ibanDetector } from './iban.detector.js';
import { ipv4Detector, ipv6Detector } from './ip-address.detector.js';
import { jwtDetector } from './jwt.detector.js';
import {
  brazilianCpfDetector,
  frenchIdDetector,
  germanTaxIdDetector,
  polishIdDetector,
  spanishIdDetector,
  ukNhsDetector,
  ukNinoDetector,
  usSsnDetector,
} from './national-id.detectors.js';
import {
  americanPhoneDetector,
  internationalPhoneDetector,
  nationalPhoneDetector,
} from './phone.detector.js';
import { privateKeyDetector } from './private-key.detector.js';
import { modelKeyDetector, sharedAccessDetector, vendorTokenDetectors } from './vendor-token.detectors.js';

/** In this order: where two find the same text, the earlier one names it. Secrets first, the particular before the general. */
export const builtInDetectors: readonly Detector[] = [
  privateKeyDetector,
  connectionStringDetector,
  jwtDetector,
  ...vendorTokenDetectors,
  modelKeyDetector,
  sharedAccessDetector,
  bearerTokenDetector,
  basicCredentialsDetector,
  commandLineSecretDetector,
  assignedSecretDetector,
  emailDetector,
  cardDetector,
  ibanDetector,
  usSsnDetector,
  spanishIdDetector,
  frenchIdDetector,
  germanTaxIdDetector,
  brazilianCpfDetector,
  ukNinoDetector,
  ukNhsDetector,
  polishIdDetector,
  internationalPhoneDetector,
  americanPhoneDetector,
  nationalPhoneDetector,
  ipv4Detector,
  ipv6Detector,
];
