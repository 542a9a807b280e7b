import { PatternDetector } from './pattern-detector.js';

/** Letters of every script: addresses are international. */
export const emailDetector = new PatternDetector(
  'email',
  'pii_redaction',
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,256}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/u,
);
