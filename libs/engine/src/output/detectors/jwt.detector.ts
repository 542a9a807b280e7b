import { PatternDetector } from './pattern-detector.js';

/** Signed tokens: two parts of base64url that begin as JSON objects do, and a signature. */
export const jwtDetector = new PatternDetector(
  'jwt',
  'secret_redaction',
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,4096}\.eyJ[A-Za-z0-9_-]{5,16384}\.[A-Za-z0-9_-]{0,4096}/,
);
