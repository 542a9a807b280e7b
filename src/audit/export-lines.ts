import { AuditExportLine, evidenceOf, factsOf, type AuditLogLine } from '#contracts/audit/entry.js';
import type { ExportQuery } from '#contracts/audit/filter.js';
import type { ExportedEntry } from '#contracts/audit/record.js';
import type { JsonSchema } from '#contracts/common/schema.js';
import { scrubText } from '#contracts/common/text.js';
import type { LogItem } from '#engine/record/audit-exports.js';
import { sendableJson } from '../http/envelope.interceptor.js';

export function jsonLine(entry: ExportedEntry): string {
  return `${sendableJson(lineOf(entry))}\n`;
}

/** Verifiers compare the order of the members. */
function lineOf(entry: ExportedEntry): AuditExportLine {
  const { content, commitments, place } = entry;
  return {
    ...factsOf(entry),
    ...evidenceOf(entry),
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
function logText(line: AuditLogLine) {
  return `${JSON.stringify(line)}\n`;
}

/** The columns of CSV: the time beside the number, then the members of a line in their order. */
function columnsOf(withContent: boolean): readonly string[] {
  const members = Object.entries(AuditExportLine['properties'] as Readonly<Record<string, JsonSchema>>);
  const required = AuditExportLine['required'] as readonly string[];
  const names = members.flatMap(([name, { properties }]) => {
    if (!withContent && !required.includes(name)) return [];
    return properties === undefined
      ? [name]
      : Object.keys(properties as object).map((part) => `${part}_commitment`);
  });
  return [...new Set(['id', 'occurred_at', ...names])];
}

const COLUMNS = columnsOf(false);
const COLUMNS_WITH_CONTENT = columnsOf(true);

type Contents = Pick<ExportQuery, 'with_content'>;

const namesOf = ({ with_content: withContent }: Contents): readonly string[] =>
  withContent ? COLUMNS_WITH_CONTENT : COLUMNS;

/** RFC 4180. */
export function csvHeader(contents: Contents): string {
  return `${namesOf(contents).join(',')}\r\n`;
}

export function csvLine(entry: ExportedEntry, contents: Contents): string {
  const { commitments, ...line } = lineOf(entry);
  const digests = Object.entries(commitments).map(([part, digest]) => [`${part}_commitment`, digest]);
  const values: Readonly<Record<string, unknown>> = { ...line, ...Object.fromEntries(digests) };
  const cells = namesOf(contents).map((name) => {
    const value = values[name];
    return csvCell(
      typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as CellValue),
    );
  });
  return `${cells.join(',')}\r\n`;
}

type CellValue = string | number | boolean | null | undefined;

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
