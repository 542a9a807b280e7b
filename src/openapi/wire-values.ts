import { APPROVAL_STATUSES } from '../../libs/contracts/src/approvals.js';
import { CONTROL_KEYS, MODE_NAMES, OUTCOMES } from '../../libs/contracts/src/control-mode.js';
import type { Span } from '../../libs/contracts/src/text.js';
import { about, choice, integer, nullable, object, pattern, text, type SchemaOf } from './json-schema.js';

export const id = integer(1);
export const count = integer(0);
export const control = choice(CONTROL_KEYS);
export const mode = choice(MODE_NAMES);
export const outcome = choice(OUTCOMES);
export const approvalStatus = choice(APPROVAL_STATUSES);
export const sha256 = pattern('^[0-9a-f]{64}$');

export const moment: SchemaOf<string> = {
  ...pattern('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'),
  format: 'date-time',
};

export const day: SchemaOf<string> = { ...pattern('^\\d{4}-\\d{2}-\\d{2}$'), format: 'date' };

export const rulesetVersion = about(
  pattern('^.+-[0-9a-f]{12}$'),
  'Names the rules in force: `<label>-<12 hex digits>` of a digest over them.',
);

export const span: SchemaOf<Span> = {
  type: 'array',
  prefixItems: [count, count],
  items: false,
  minItems: 2,
  description: '`[start, end)` in UTF-8 bytes.',
};

export const principalId = about(text, 'The authenticated user on whose behalf the model ran.');

/** Why a tool did not end as it should. */
export const runError = nullable(object<{ code: string; message: string }>({ code: text, message: text }));

/** What a page of a list ends with. */
export const nextCursor = about(nullable(id), 'Pass it as `cursor` for the next page; `null` at the end.');

export const PARTIAL =
  'The search ended before the page was full: the page is short or empty, and `next_cursor` goes on.';
