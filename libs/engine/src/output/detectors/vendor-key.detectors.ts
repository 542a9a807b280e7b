import { looksDrawn } from './entropy.js';
import { PatternDetector } from './pattern-detector.js';

export const awsAccessKeyDetector = new PatternDetector(
  'aws_access_key',
  'secret_redaction',
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
);

export const githubTokenDetector = new PatternDetector(
  'github_token',
  'secret_redaction',
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})/,
);

export const slackTokenDetector = new PatternDetector(
  'slack_token',
  'secret_redaction',
  /(?<![A-Za-z0-9])(?:xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-[A-Za-z0-9-]{10,250})|https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,80}/,
);

/** Keys of the providers of language models: `sk-…`, `sk-proj-…`, `sk-ant-…`. */
export const modelKeyDetector = new PatternDetector(
  'model_api_key',
  'secret_redaction',
  /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,250}/,
  looksDrawn,
);

export const googleApiKeyDetector = new PatternDetector(
  'google_api_key',
  'secret_redaction',
  /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/,
);

/** Publishable keys (`pk_`) are made to be seen. */
export const stripeKeyDetector = new PatternDetector(
  'stripe_key',
  'secret_redaction',
  /(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,250}/,
);
