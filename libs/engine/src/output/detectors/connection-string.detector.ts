import { PatternDetector } from './pattern-detector.js';

/** `scheme://user:password@host`: whatever it leads to, the password in it works. */
export const connectionStringDetector = new PatternDetector(
  'connection_string',
  'secret_redaction',
  /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,128}:[^\s@/]{1,256}@[^\s?#<>"'`[\]()]{1,255}/,
  { hints: ['://'] },
);
