import { looksDrawn } from './entropy.js';
import { PatternDetector } from './pattern-detector.js';

/** `api_key = "…"`, `DB_PASSWORD: …`: a value that looks drawn behind a name that says what it is. */
export const assignedSecretDetector = new PatternDetector(
  'assigned_secret',
  'secret_redaction',
  /(?:api[_-]?key|secret|passw(?:or)?d|token)[A-Za-z0-9_-]{0,20}["']?\s{0,3}[:=]{1,2}\s{0,3}["']?(?<value>[A-Za-z0-9_\-./+=~!@#$%^*]{8,256})/i,
  looksDrawn,
);

/** `Authorization: Bearer …` */
export const bearerTokenDetector = new PatternDetector(
  'bearer_token',
  'secret_redaction',
  /\bbearer\s{1,3}(?<value>[A-Za-z0-9_\-./+=~]{20,1024})/i,
  looksDrawn,
);
