// The file that `audit export --parquet` writes, for analysis.
import type * as hyparquet from 'hyparquet-writer';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { AuditExportLine } from '#contracts/audit/entry.js';
import type { JsonSchema } from '#contracts/common/schema.js';
import { UsageError } from '../shared/command.js';

/** Only a verifier needs them. It reads them from the folder of an export, with the log. */
const PROOFS = new Set<string>([
  'commitments',
  'writer',
  'sequence',
  'salt',
] satisfies (keyof AuditExportLine)[]);

/** A row group ends behind this many characters of lines, so that memory does not grow with the export. */
const GROUP_LENGTH = 32_000_000;

/** The types of other values than texts. Values with members are JSON. */
const TYPES: Readonly<Record<string, hyparquet.BasicType>> = {
  integer: 'INT64',
  boolean: 'BOOLEAN',
  array: 'JSON',
  object: 'JSON',
};

/** Writes the lines of an export into a new file, which has another name until it is complete. Returns their number. */
export async function writeParquet(
  path: string,
  withContent: boolean,
  download: () => Promise<ReadableStream<Uint8Array>>,
  onId: (id: number) => void,
): Promise<number> {
  if (existsSync(path)) throw new UsageError(`${path} exists already. Choose another file with --out.`);
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await loadWriter();
  const columns = columnsOf(withContent);
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  // Only its owner may read it, as the files of other exports.
  const file = await open(unfinished, 'wx', 0o600);
  let rows = 0;
  try {
    const writer = Object.assign(new ByteWriter(), {
      async flush() {
        await file.writeFile(writer.getBytes());
        writer.index = 0;
      },
    });
    const parquet = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: columns }) });
    const writeGroup = () =>
      parquet.write({
        columnData: columns.map((column) => ({ ...column, data: column.data.splice(0) })),
        rowGroupSize: Number.MAX_SAFE_INTEGER,
      });
    let length = 0;
    for await (const line of linesOf(await download())) {
      const entry = entryOf(line);
      for (const { name, type, data } of columns) data.push(valueOf(entry[name], type));
      onId(entry.id);
      rows += 1;
      length += line.length;
      if (length < GROUP_LENGTH) continue;
      await writeGroup();
      length = 0;
    }
    await writeGroup();
    await parquet.finish();
    await writer.flush();
    await file.sync();
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return rows;
}

function loadWriter(): Promise<typeof hyparquet> {
  return import('hyparquet-writer').catch((cause: unknown) => {
    throw new Error('--parquet needs the package of a writer. Run: npm install hyparquet-writer', { cause });
  });
}

interface Column extends hyparquet.ColumnSource {
  readonly name: keyof AuditExportLine;
  readonly data: unknown[];
}

/** A column for each member of a line, in their order. */
function columnsOf(withContent: boolean): Column[] {
  const members = Object.entries(AuditExportLine['properties'] as Readonly<Record<string, JsonSchema>>);
  const required = AuditExportLine['required'] as readonly string[];
  return members
    .filter(([name]) => !PROOFS.has(name) && (withContent || required.includes(name)))
    .map(([name, schema]) => ({ name: name as keyof AuditExportLine, type: typeOf(schema), data: [] }));
}

function typeOf({ type, format }: JsonSchema): hyparquet.BasicType {
  if (format === 'date-time') return 'TIMESTAMP';
  const [name] = [type].flat();
  return TYPES[String(name)] ?? 'STRING';
}

function valueOf(value: unknown, type: hyparquet.BasicType | undefined): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'TIMESTAMP') return new Date(value as string);
  return type === 'INT64' ? BigInt(value as number) : value;
}

function entryOf(line: string): AuditExportLine {
  try {
    return JSON.parse(line) as AuditExportLine;
  } catch (cause) {
    throw new Error('The instance sent a line that is not an audit entry.', { cause });
  }
}

async function* linesOf(chunks: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Error('The instance sent an incomplete line.');
}
