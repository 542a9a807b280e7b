// The folder that `audit export` writes and continues, and tools/verify-export.mjs reads.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { UsageError } from '../shared/command.js';
import { parsedJson } from '#contracts/common/text.js';

export interface ExportQuery {
  readonly from: string | null;
  readonly to: string | null;
  readonly principal_id: string | null;
  readonly with_content: boolean;
}

interface ExportPart {
  readonly file: string;
  readonly rows: number;
  readonly first_id: number;
  readonly last_id: number;
  readonly bytes: number;
  /** The digest of the compressed file. */
  readonly sha256: string;
}

interface LogFile {
  readonly file: string;
  readonly bytes: number;
  /** The digest of the compressed file. */
  readonly sha256: string;
}

/** What the export contains. It is replaced after every part. */
interface ExportManifest {
  readonly format: 'guardrails.export.v1';
  readonly query: ExportQuery;
  readonly started_at: string;
  /** `null` until the export is complete. */
  readonly completed_at: string | null;
  readonly rows: number;
  readonly first_id: number | null;
  readonly last_id: number | null;
  readonly parts: readonly ExportPart[];
  /** Of the JSON of `parts`, without blanks. */
  readonly parts_sha256: string;
  /** The transparency log; empty without `audit.checkpoint_key`. */
  readonly log: readonly LogFile[];
  /** The newest checkpoint in the log, a signed note. */
  readonly checkpoint: string | null;
}

const MANIFEST = 'manifest.json';
const LOG = 'log-00001.ndjson.gz';
const UNFINISHED = 'unfinished.gz';
/** An export can contain texts of users and the names of principals. */
const OWNER_ONLY = { flush: true, mode: 0o600 };

/** A folder with the parts of one export. A part that the manifest does not list is incomplete. */
export class ExportFolder {
  private constructor(
    private readonly path: string,
    private current: ExportManifest,
  ) {}

  /** Continues the export in this folder, or begins one. */
  static async open(path: string, query: ExportQuery): Promise<ExportFolder> {
    const text = await readFile(join(path, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) {
      const folder = new ExportFolder(path, newManifest(query));
      await folder.write({});
      return folder;
    }
    const manifest = parsed(text, path);
    const asked = { ...query, to: query.to ?? manifest.query.to };
    if (JSON.stringify(asked) !== JSON.stringify(manifest.query))
      throw new UsageError(
        `${path} contains an export with other options. Choose another folder with --out.`,
      );
    const folder = new ExportFolder(path, manifest);
    for (const part of manifest.parts) await folder.verify(part);
    return folder;
  }

  get manifest(): ExportManifest {
    return this.current;
  }

  get isComplete(): boolean {
    return this.current.completed_at !== null;
  }

  /** Writes the lines of a part, and returns how many there were. Without lines there is no part. */
  async addPart(lines: ReadableStream<Uint8Array>, onId: (id: number) => void): Promise<number> {
    const entries = new EntryLines(onId);
    const measured = await this.writeUnfinished(lines, entries);
    const { rows, firstId, lastId } = entries;
    if (firstId === null || lastId === null) {
      await rm(join(this.path, UNFINISHED));
      return 0;
    }
    const file = `part-${String(this.current.parts.length + 1).padStart(5, '0')}.ndjson.gz`;
    await rename(join(this.path, UNFINISHED), join(this.path, file));
    const part = { file, rows, first_id: firstId, last_id: lastId, ...measured };
    const parts = [...this.current.parts, part];
    await this.write({
      rows: this.current.rows + rows,
      first_id: this.current.first_id ?? firstId,
      last_id: lastId,
      parts,
      parts_sha256: sha256(JSON.stringify(parts)),
    });
    return rows;
  }

  /** Writes the log, which covers the entries of the parts before it. */
  async addLog(lines: ReadableStream<Uint8Array>): Promise<void> {
    const checkpoints = new CheckpointLines();
    const measured = await this.writeUnfinished(lines, checkpoints);
    await rename(join(this.path, UNFINISHED), join(this.path, LOG));
    const { newest } = checkpoints;
    if (newest === null) await rm(join(this.path, LOG));
    await this.write({ log: newest === null ? [] : [{ file: LOG, ...measured }], checkpoint: newest });
  }

  async complete(): Promise<void> {
    await this.write({ completed_at: new Date().toISOString() });
  }

  private async verify({ file, sha256: expected }: ExportPart) {
    const digest = createHash('sha256');
    await pipeline(createReadStream(join(this.path, file)), digest).catch((error: NodeJS.ErrnoException) => {
      throw new Error(`${file} cannot be read. Delete the folder and export again.`, { cause: error });
    });
    if (digest.digest('hex') !== expected)
      throw new Error(`${file} was changed after it was exported. Delete the folder and export again.`);
  }

  /** Compresses lines into a file that is not part of the export yet. Returns its size and digest. */
  private async writeUnfinished(lines: ReadableStream<Uint8Array>, reader: LineReader) {
    const path = join(this.path, UNFINISHED);
    await rm(path, { force: true });
    const digest = createHash('sha256');
    let bytes = 0;
    await pipeline(
      lines,
      (chunks: AsyncIterable<Uint8Array>) => reader.read(chunks),
      createGzip(),
      async function* measured(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          digest.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      },
      createWriteStream(path, { flags: 'wx', ...OWNER_ONLY }),
    );
    return { bytes, sha256: digest.digest('hex') };
  }

  /** Replaces the manifest in one step, so that it is never incomplete. */
  private async write(changes: Partial<ExportManifest>) {
    this.current = { ...this.current, ...changes };
    const target = join(this.path, MANIFEST);
    const file = await open(`${target}.new`, 'w', OWNER_ONLY.mode);
    try {
      await file.writeFile(`${JSON.stringify(this.current, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${target}.new`, target);
  }
}

function newManifest(query: ExportQuery): ExportManifest {
  const startedAt = new Date().toISOString();
  return {
    format: 'guardrails.export.v1',
    query: { ...query, to: query.to ?? startedAt },
    started_at: startedAt,
    completed_at: null,
    rows: 0,
    first_id: null,
    last_id: null,
    parts: [],
    parts_sha256: sha256('[]'),
    log: [],
    checkpoint: null,
  };
}

function parsed(text: string, path: string) {
  const manifest = parsedJson(text) as Partial<ExportManifest> | null | undefined;
  const isOurs = manifest?.format === 'guardrails.export.v1' && Array.isArray(manifest.parts);
  if (isOurs && sha256(JSON.stringify(manifest?.parts)) === manifest?.parts_sha256)
    return manifest as ExportManifest;
  throw new UsageError(
    `${MANIFEST} in ${path} is not the manifest of an export, or was changed. Choose another folder with --out.`,
  );
}

function sha256(text: string) {
  return createHash('sha256').update(text).digest('hex');
}

/** Reads lines while they pass. */
interface LineReader {
  read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

const INCOMPLETE_LINE = 'The instance sent an incomplete line.';
const NEWLINE = 0x0a;
/** `{"id":` and sixteen digits. */
const MAX_HEAD_LENGTH = 24;

/** Counts lines, and reads the id of the first and the last one. An id is the first member of its line. */
class EntryLines implements LineReader {
  rows = 0;
  firstId: number | null = null;
  lastId: number | null = null;

  constructor(private readonly onId: (id: number) => void) {}

  async *read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    // The beginning of the current line, which can be in several chunks.
    let head = '';
    for await (const chunk of chunks) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const headUntil = (end: number) =>
        head + bytes.toString('latin1', start, Math.min(end, start + MAX_HEAD_LENGTH - head.length));
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        this.count(headUntil(end));
        head = '';
        start = end + 1;
      }
      head = headUntil(bytes.length);
      if (this.lastId !== null) this.onId(this.lastId);
      yield chunk;
    }
    if (head !== '') throw new Error(INCOMPLETE_LINE);
  }

  private count(head: string) {
    const id = /^\{"id":(\d+)/.exec(head)?.[1];
    if (id === undefined) throw new Error('The instance sent a line that is not an audit entry.');
    this.rows += 1;
    this.lastId = Number(id);
    this.firstId ??= this.lastId;
  }
}

/** Reads the last checkpoint of a log. */
class CheckpointLines implements LineReader {
  newest: string | null = null;

  async *read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      const line = lines.findLast((each) => each.startsWith('{"checkpoint"'));
      if (line !== undefined) this.newest = (JSON.parse(line) as { readonly checkpoint: string }).checkpoint;
      yield chunk;
    }
    if (rest !== '') throw new Error(INCOMPLETE_LINE);
  }
}
