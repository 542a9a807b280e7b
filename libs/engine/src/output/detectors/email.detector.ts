import { PatternDetector } from './pattern-detector.js';

/** `icon@2x.png` is the name of a file. */
const ENDS_AS_A_FILE =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|m?js|tsx?|json|html?|md|txt|xml|ya?ml|zip)$/i;

/** Letters of every script: addresses are international. */
export const emailDetector = new PatternDetector(
  'email',
  'pii_redaction',
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,256}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/u,
  {
    hints: ['@'],
    accepts: (found, _, behind) =>
      !ENDS_AS_A_FILE.test(found) && !(found.startsWith('git@') && /^[:/]/.test(behind)),
  },
);
