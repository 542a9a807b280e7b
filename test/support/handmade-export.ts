import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

// Exports that are built without code of the package, like the verifier.

const ORIGIN = 'shop.example/guardrails';
const WRITER = '7b0d4a54-7d0c-4a36-9a51-3d7a1f7d2c11';
const START = Date.parse('2026-03-01T00:00:00.000Z');
const MINUTE = 60_000;

export type Entry = Record<string, unknown> & {
  id: number;
  sequence: number;
  occurred_at: string;
  commitments: Record<string, string | null>;
};
export type Leaf = readonly [kind: string, time: string, hash: string, fields?: readonly unknown[]];

export const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};
export const timeOf = (minute: number): string => new Date(START + minute * MINUTE).toISOString();
const SALT = Buffer.alloc(32, 7);

export function entryAt(number: number): Entry {
  return {
    id: number * 2,
    control: 'input_screen',
    blocked: true,
    outcome: 'blocked',
    mode: 'enforce',
    origin: 'prompt',
    rule_id: 'instruction_override.ignore_previous',
    principal_id: 'customer-42',
    application: null,
    ruleset_version: 'builtin-0123456789ab',
    prompt_length: 32,
    errored: false,
    occurred_at: timeOf(number),
    matched_rules: [
      { rule_id: 'instruction_override.ignore_previous', span: [0, 12] },
      { rule_id: 'role_override.without_restrictions', span: [5, 9], mentioned: 'quotation' },
      { rule_id: 'own_screener', span: [0, 12], exception: true, score: 5, threshold: 3 },
    ],
    errored_rule_ids: [],
    not_judged_rule_ids: [],
    findings: number % 2 === 0 ? [] : [{ kind: 'pii_redaction', detector: 'email', span: [5, 12] }],
    finding_count: number % 2,
    request_id: `request-${number}`,
    run_id: null,
    tool: null,
    rendering: null,
    duration_us: 210,
    approval_id: null,
    approval_step: null,
    commitments: {
      prompt: sha256(SALT, `prompt\0text ${number}`).toString('base64url'),
      matched_text: null,
      principal: sha256(SALT, 'principal\0customer-42').toString('base64url'),
      policy: null,
    },
    writer: WRITER,
    sequence: number,
    prompt: `text ${number}`,
    matched_text: null,
    policy: null,
    salt: SALT.toString('base64url'),
  };
}

/** The format that the documentation of the log defines. */
export function hashOf(entry: Entry): string {
  // As the engine records them: an exception is added last.
  const matched = (entry['matched_rules'] as ({ rule_id: string } & Record<string, unknown>)[]).map(
    ({ rule_id, span, mentioned, score, threshold, exception }) => ({
      ruleId: rule_id,
      span,
      mentioned,
      score,
      threshold,
      exception,
    }),
  );
  const members = ['occurred_at', 'control', 'outcome', 'mode', 'origin', 'errored', 'prompt_length'];
  return sha256(
    JSON.stringify([
      entry['writer'],
      entry.sequence,
      ...members.map((name) => entry[name]),
      entry['duration_us'],
      entry['rule_id'],
      JSON.stringify(matched),
      JSON.stringify(entry['errored_rule_ids']),
      (entry['findings'] as unknown[]).length === 0 ? null : JSON.stringify(entry['findings']),
      entry['finding_count'],
      ...['application', 'request_id', 'run_id', 'tool', 'ruleset_version', 'rendering'].map(
        (name) => entry[name],
      ),
      ...['approval_id', 'approval_step'].map((name) => entry[name]),
      ...['prompt', 'matched_text', 'principal', 'policy'].map((name) => entry.commitments[name]),
    ]),
  ).toString('base64url');
}

function rootOf(leaves: readonly Leaf[]): Buffer {
  const texts = leaves.map(([kind, time, hash]) => JSON.stringify([kind, time, hash]));
  const root = (part: readonly string[]): Buffer => {
    if (part.length === 1) return sha256(Buffer.of(0), part[0] ?? '');
    let half = 1;
    while (half * 2 < part.length) half *= 2;
    return sha256(Buffer.of(1), root(part.slice(0, half)), root(part.slice(half)));
  };
  return root(texts);
}

export const keyOf = (): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } =>
  generateKeyPairSync('ed25519');
export const key = keyOf();
export const textOf = ({ publicKey }: { readonly publicKey: KeyObject }): string =>
  publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');

export function noteOf(leaves: readonly Leaf[], minute: number, privateKey = key.privateKey): string {
  const text = `${ORIGIN}\n${leaves.length}\n${rootOf(leaves).toString('base64')}\ntime ${timeOf(minute)}\n`;
  const signature = Buffer.concat([Buffer.alloc(4), sign(null, Buffer.from(text), privateKey)]);
  return `${text}\n\u2014 ${ORIGIN} ${signature.toString('base64')}\n`;
}

export interface Export {
  entries: Entry[];
  /** Leaves, and the numbers of leaves after which there is a checkpoint. */
  leaves: Leaf[];
  checkpoints: { size: number; minute: number; privateKey?: KeyObject }[];
  privateKey: KeyObject;
  query: Record<string, string | null>;
}

/** Twelve entries with checkpoints after minute 6 and minute 12, and a setting that was changed. */
export function honest(): Export {
  const entries = Array.from({ length: 12 }, (_, index) => entryAt(index + 1));
  const leaves = entries.map((entry): Leaf => ['evidence', entry.occurred_at, hashOf(entry)]);
  leaves.splice(3, 0, ['setting_change', timeOf(3), sha256('setting').toString('base64url')]);
  return {
    entries,
    leaves,
    checkpoints: [
      { size: 7, minute: 6 },
      { size: 13, minute: 12 },
    ],
    privateKey: key.privateKey,
    query: { from: null, to: timeOf(12), principal_id: null },
  };
}

/** Writes the folder of an export. */
export function write(folder: string, { entries, leaves, checkpoints, privateKey, query }: Export): void {
  const part = gzipSync(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const lines = leaves.flatMap((leaf, index) => {
    const ending = checkpoints.find(({ size }) => size === index + 1);
    const note =
      ending === undefined
        ? null
        : noteOf(leaves.slice(0, ending.size), ending.minute, ending.privateKey ?? privateKey);
    const [kind, time, hash, record] = leaf;
    const line = { leaf: [kind, time, hash], record };
    return [JSON.stringify(line), ...(note === null ? [] : [JSON.stringify({ checkpoint: note })])];
  });
  const log = gzipSync(`${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'part-00001.ndjson.gz'), part);
  writeFileSync(join(folder, 'log-00001.ndjson.gz'), log);
  const parts = [{ file: 'part-00001.ndjson.gz', sha256: sha256(part).toString('hex') }];
  const manifest = {
    format: 'guardrails.export.v1',
    query: { ...query, with_content: true },
    completed_at: timeOf(60),
    rows: entries.length,
    parts,
    parts_sha256: sha256(JSON.stringify(parts)).toString('hex'),
    log: [{ file: 'log-00001.ndjson.gz', sha256: sha256(log).toString('hex') }],
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
}
