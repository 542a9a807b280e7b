import type { AuditExportLine, AuditLogLine } from '#contracts/api/audit.responses.js';
import { PROMPT_STORAGES } from '#contracts/text.js';
import { RENDERINGS } from '#contracts/output.js';
import {
  about,
  anything,
  choice,
  count,
  id,
  list,
  nullable,
  object,
  Optional,
  span,
  text,
} from '../openapi/json-schema.js';
import * as parameters from '../openapi/parameters.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';
import {
  AUDIT_EXAMPLE,
  AUDIT_FACTS,
  AUDIT_FILTERS,
  MATCHED_RULE,
  RECORDED_FINDING,
} from './audit.openapi.js';

const line = object<AuditExportLine>({
  ...AUDIT_FACTS,
  matched_rules: list(object<AuditExportLine['matched_rules'][number]>(MATCHED_RULE)),
  errored_rule_ids: list(text),
  not_judged_rule_ids: list(text),
  findings: list(object<AuditExportLine['findings'][number]>(RECORDED_FINDING)),
  finding_count: count,
  request_id: nullable(text),
  run_id: nullable(text),
  tool: nullable(text),
  rendering: nullable(choice(RENDERINGS)),
  duration_us: about(count, 'Microseconds.'),
  approval_id: nullable(id),
  approval_step: about(nullable(text), 'The step of an approval that this entry records; `null` otherwise.'),
  commitments: about(
    object<AuditExportLine['commitments']>({
      prompt: text,
      matched_text: nullable(text),
      principal: nullable(text),
      policy: nullable(text),
    }),
    'base64url of SHA-256(salt ‖ name of the field ‖ 0x00 ‖ UTF-8).',
  ),
  writer: about(
    nullable(text),
    'With `sequence` and the members above, what the hash of the entry covers; `null` in memory.',
  ),
  sequence: nullable(id),
  prompt_storage: new Optional(choice([...PROMPT_STORAGES, 'erased'])),
  prompt: new Optional(text),
  matched_span: new Optional(nullable(span)),
  matched_text: new Optional(nullable(text)),
  policy: new Optional(about(nullable(text), 'JSON: what a policy compared and decided.')),
  salt: new Optional(about(nullable(text), 'base64url; `null` once the text is erased.')),
});

const logLine = object<AuditLogLine>({
  leaf: new Optional(
    about(
      { type: 'array', items: text, minItems: 3, maxItems: 3 },
      'Kind, time, and SHA-256 of the recorded fields in base64url. The tree (RFC 6962) hashes its JSON text.',
    ),
  ),
  record: new Optional(
    about(list(anything), 'The recorded fields of a retention run, in the order of their hash.'),
  ),
  checkpoint: new Optional(
    about(text, 'A signed note (C2SP `tlog-checkpoint`) of all leaves before this line.'),
  ),
});

export const AUDIT_EXPORT = {
  'audit.export': {
    summary: 'Export of decisions, oldest first',
    description:
      'Lines without an envelope; errors have one. The filters are those of `GET /audit`. Recorded with its actor in the change log under `audit.export` before the first line is sent. Entries that are appended after the start are not included. A connection that breaks leaves the export incomplete; continue it with `after`.',
    query: [
      parameters.format,
      parameters.withContent,
      parameters.exportAfter,
      parameters.exportLimit,
      ...AUDIT_FILTERS,
    ],
    answer: answer<AuditExportLine>('AuditExportLine', line, {
      ...AUDIT_EXAMPLE,
      matched_rules: [{ rule_id: 'ignore_previous_instructions', span: [7, 39] }],
      errored_rule_ids: [],
      not_judged_rule_ids: [],
      findings: [],
      finding_count: 0,
      request_id: 'req-7f3a',
      run_id: null,
      tool: null,
      rendering: null,
      duration_us: 118,
      approval_id: null,
      approval_step: null,
      commitments: {
        prompt: '3T1x0c8mFJmY2o0lq5c3Gz7Vn4rUe1iWkBhDs6aEoKI',
        matched_text: null,
        principal: null,
        policy: null,
      },
      writer: '7b0d4a54-7d0c-4a36-9a51-3d7a1f7d2c11',
      sequence: 4711,
    }),
  },
  'audit.log': {
    summary: 'The transparency log, from its first leaf to its newest checkpoint',
    description:
      'Lines without an envelope; errors have one. Each line is a leaf or a checkpoint. Empty without `audit.checkpoint_key`. The log contains no texts, and no names except the actor in the `record` of a retention run.',
    answer: answer<AuditLogLine>('AuditLogLine', logLine, {
      leaf: ['evidence', '2026-03-31T09:14:22.000Z', '3T1x0c8mFJmY2o0lq5c3Gz7Vn4rUe1iWkBhDs6aEoKI'],
    }),
  },
} as const satisfies Record<string, RouteDescription>;
