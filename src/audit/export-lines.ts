import type { AuditExportLine, AuditLogLine } from '#contracts/api/audit.responses.js';
import type { ExportedEntry, ExportOrder } from '#contracts/audit.js';
import type { LogItem } from '#engine/audit/audit-exports.js';
import { scrubText } from '#contracts/text.js';
import { sendableJson } from '../http/envelope.interceptor.js';
import { factsOf, notJudgedIdsOf, presentMatchedRules } from './audit.presenter.js';

export function jsonLine(entry: ExportedEntry): string {
  return `${sendableJson(lineOf(entry))}\n`;
}

function lineOf(entry: ExportedEntry): AuditExportLine {
  const { content, commitments, place } = entry;
  // The verifier of exports compares the order of the members.
  const { tool, ...facts } = factsOf(entry);
  return {
    ...facts,
    matched_rules: presentMatchedRules(entry),
    errored_rule_ids: entry.erroredRuleIds,
    not_judged_rule_ids: notJudgedIdsOf(entry),
    findings: entry.findings,
    finding_count: entry.findingCount,
    request_id: entry.requestId,
    run_id: entry.runId,
    tool,
    rendering: entry.rendering,
    duration_us: entry.durationUs,
    approval_id: entry.approvalId,
    approval_step: entry.approvalStep,
    commitments: {
      prompt: commitments.prompt,
      matched_text: commitments.matchedText,
      principal: commitments.principal,
      policy: commitments.policy,
    },
    writer: place?.writer ?? null,
    sequence: place?.sequence ?? null,
    ...(content !== null && {
      prompt_storage: content.storage,
      prompt: content.prompt,
      matched_span: content.matchedSpan,
      matched_text: content.matchedText,
      policy: content.policy,
      salt: content.salt,
    }),
  };
}

export function logLine(item: LogItem): string {
  if ('note' in item) return logText({ checkpoint: item.note });
  const { kind, time, hash, record } = item;
  const leaf = [kind, time.toISOString(), hash] as const;
  return logText(record === null ? { leaf } : { leaf, record });
}

/** Not scrubbed: a reader computes the hash of the members. */
function logText(line: AuditLogLine): string {
  return `${JSON.stringify(line)}\n`;
}

type CellValue = string | number | boolean | null | undefined;

type Cell = (line: AuditExportLine) => CellValue;

type Column = readonly [name: string, cell: Cell];

const COLUMNS: readonly Column[] = Object.entries<Cell>({
  id: ({ id }) => id,
  occurred_at: (line) => line.occurred_at,
  control: ({ control }) => control,
  blocked: ({ blocked }) => blocked,
  outcome: ({ outcome }) => outcome,
  mode: ({ mode }) => mode,
  origin: ({ origin }) => origin,
  rule_id: (line) => line.rule_id,
  matched_rules: (line) => JSON.stringify(line.matched_rules),
  errored: ({ errored }) => errored,
  errored_rule_ids: (line) => JSON.stringify(line.errored_rule_ids),
  not_judged_rule_ids: (line) => JSON.stringify(line.not_judged_rule_ids),
  findings: (line) => JSON.stringify(line.findings),
  finding_count: (line) => line.finding_count,
  principal_id: (line) => line.principal_id,
  application: ({ application }) => application,
  request_id: (line) => line.request_id,
  run_id: (line) => line.run_id,
  tool: ({ tool }) => tool,
  ruleset_version: (line) => line.ruleset_version,
  rendering: ({ rendering }) => rendering,
  prompt_length: (line) => line.prompt_length,
  duration_us: (line) => line.duration_us,
  approval_id: (line) => line.approval_id,
  approval_step: (line) => line.approval_step,
  prompt_commitment: ({ commitments }) => commitments.prompt,
  matched_text_commitment: ({ commitments }) => commitments.matched_text,
  principal_commitment: ({ commitments }) => commitments.principal,
  policy_commitment: ({ commitments }) => commitments.policy,
  writer: ({ writer }) => writer,
  sequence: ({ sequence }) => sequence,
});

const COLUMNS_WITH_CONTENT: readonly Column[] = [
  ...COLUMNS,
  ...Object.entries<Cell>({
    prompt_storage: (line) => line.prompt_storage,
    prompt: ({ prompt }) => prompt,
    matched_span: (line) => (line.matched_span === null ? null : JSON.stringify(line.matched_span)),
    matched_text: (line) => line.matched_text,
    policy: ({ policy }) => policy,
    salt: ({ salt }) => salt,
  }),
];

type Contents = Pick<ExportOrder, 'withContent'>;

function columnsOf({ withContent }: Contents): readonly Column[] {
  return withContent ? COLUMNS_WITH_CONTENT : COLUMNS;
}

/** RFC 4180. */
export function csvHeader(order: Contents): string {
  const names = columnsOf(order).map(([name]) => name);
  return `${names.join(',')}\r\n`;
}

export function csvLine(entry: ExportedEntry, order: Contents): string {
  const line = lineOf(entry);
  const cells = columnsOf(order).map(([, cell]) => csvCell(cell(line)));
  return `${cells.join(',')}\r\n`;
}

/** Texts are quoted, and `null` is an empty cell without quotes. */
export function csvCell(value: CellValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  return `"${withoutFormulas(scrubText(value)).replaceAll('"', '""')}"`;
}

/** Spreadsheets compute a cell that begins with one of these, also in their full-width form. */
const FORMULA_START = new Set('=+-@\uFF1D\uFF0B\uFF0D\uFF20');
/** Some spreadsheets split a cell at these, with any separator of columns. */
const SEPARATOR = new Set(';,|\t\r\n');
const SKIPPED = /[\s"']/u;

/**
 * Writes an apostrophe before every place where a spreadsheet could begin a formula: the beginning of the text, and after
 * a separator, also behind blanks and quotes. Linear in the text.
 */
function withoutFormulas(text: string): string {
  let guarded = '';
  let copied = 0;
  /** Where a cell may begin; -1 inside a cell. */
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (start >= 0 && FORMULA_START.has(character)) {
      guarded += `${text.slice(copied, start)}'`;
      copied = start;
      start = -1;
    } else if (SEPARATOR.has(character)) start = index + 1;
    else if (!SKIPPED.test(character)) start = -1;
  }
  return guarded + text.slice(copied);
}
