#!/usr/bin/env node
// Verifies a folder that `nest-guardrails audit export` wrote, with no code of nest-guardrails. Needs Node 20 or newer.
//
//   node verify-export.mjs FOLDER --public-key KEY [--checkpoint FILE] [--tolerance SECONDS]
//
// KEY         the Ed25519 public key: PEM or base64, or a file with it. Do not take it from the sender of the export.
// FILE        a checkpoint that you received earlier. Without it, nobody can see that the newest entries were cut off.
// SECONDS     how far the time of an entry may be from the checkpoints around it. Default: 3600.
//
// Exits with 0 if nothing differs, with 1 after a difference, and with 2 if the call or a file is invalid.
//
// The log is a hash tree as in RFC 6962. It hashes the JSON text [kind, time, hash] of each leaf. The hash of an entry covers all
// members of its line except the id, the name of the principal and the texts, for which it covers the commitments.
// Checkpoints are signed notes as in the C2SP specifications `signed-note` and `tlog-checkpoint`.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';

const MAX_SHOWN = 20;
const differences = [];
const notices = [];
const differ = (text) => differences.push(text);

const sha256 = (...parts) => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

/** The right edge of the tree: the roots of its perfect subtrees, the largest first. */
class Tree {
  size = 0;
  edge = [];

  append(leaf) {
    let node = sha256(Buffer.of(0), leaf);
    for (let left = this.size; left % 2 === 1; left = (left - 1) / 2)
      node = sha256(Buffer.of(1), this.edge.pop(), node);
    this.edge.push(node);
    this.size += 1;
  }

  root() {
    if (this.edge.length === 0) return sha256();
    return this.edge.reduceRight((right, left) => sha256(Buffer.of(1), left, right));
  }
}

/** Returns the checkpoint of a note, or `null` after a difference. */
function checkpointOf(note, publicKey, name) {
  const end = note.indexOf('\n\n');
  const text = note.slice(0, end + 1);
  const [origin, size, root, ...extensions] = text.split('\n');
  const time = extensions.find((line) => line.startsWith('time '))?.slice(5);
  const signatures = note
    .slice(end + 2)
    .split('\n')
    .flatMap((line) => /^\u2014 (\S+) (\S+)$/.exec(line)?.slice(1, 3) ?? []);
  const isSigned = signatures.some((encoded, index) => {
    if (index % 2 === 0 || signatures[index - 1] !== origin) return false;
    return verify(null, Buffer.from(text), publicKey, Buffer.from(encoded, 'base64').subarray(4));
  });
  if (end < 0 || !isSigned) {
    differ(
      `${name} is not signed with the given key: it was changed, or the log was rebuilt with another key.`,
    );
    return null;
  }
  return { origin, size: Number(size), root, time: Date.parse(time ?? '') };
}

/** Lines of compressed files, one after the other. */
async function* linesOf(folder, files) {
  for (const file of files) {
    const stream = createReadStream(join(folder, file)).pipe(createGunzip());
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) yield line;
  }
}

/** Reads leaves and checkpoints, and computes the tree again. */
async function readLog(folder, files, publicKey, held) {
  const tree = new Tree();
  const leaves = new Map();
  const checkpoints = [];
  const removals = { total: 0, singly: 0, before: -Infinity };
  const compare = (checkpoint, name) => {
    if (checkpoint.size === tree.size && checkpoint.root === tree.root().toString('base64')) return;
    differ(
      `The first ${checkpoint.size} leaves do not have the root of ${name}: the log was changed or reordered.`,
    );
  };
  for await (const line of linesOf(folder, files)) {
    const parsed = JSON.parse(line);
    if (typeof parsed.checkpoint === 'string') {
      const checkpoint = checkpointOf(parsed.checkpoint, publicKey, `The checkpoint at leaf ${tree.size}`);
      if (checkpoint === null) continue;
      compare(checkpoint, `the checkpoint of ${new Date(checkpoint.time).toISOString()}`);
      checkpoints.push(checkpoint);
      continue;
    }
    const [kind, time, hash] = parsed.leaf;
    if (kind === 'evidence') leaves.set(hash, { index: tree.size, time: Date.parse(time) });
    if (kind === 'retention_run') addRemovals(removals, parsed.record, hash);
    tree.append(Buffer.from(JSON.stringify([kind, time, hash])));
    if (held !== null && held.size === tree.size) compare(held, 'the checkpoint that was held elsewhere');
  }
  if (held !== null && held.size > tree.size)
    differ(
      `The log has ${tree.size} leaves, but the checkpoint that was held elsewhere covers ${held.size}: its end was cut off.`,
    );
  const covered = checkpoints.at(-1)?.size ?? 0;
  if (checkpoints.length === 0) differ('The export has no checkpoint with a valid signature.');
  else if (covered !== tree.size)
    differ(`${tree.size - covered} leaves at the end of the log have no checkpoint.`);
  return { leaves, checkpoints, removals };
}

/** Adds what a retention run deleted. Its fields are in the export, because only their hash is in the log. */
function addRemovals(removals, fields, hash) {
  if (!Array.isArray(fields) || sha256(JSON.stringify(fields)).toString('base64url') !== hash) {
    differ('The record of a retention run does not have the hash of its leaf: it was changed.');
    return;
  }
  const [, , strategy, scope, counts] = fields;
  if (strategy !== 'purge') return;
  const { kind, before } = JSON.parse(scope);
  const { entries } = JSON.parse(counts);
  removals.total += entries;
  if (kind === 'before') removals.before = Math.max(removals.before, Date.parse(before));
  else removals.singly += entries;
}

/** SHA-256 over the members of a line, in the order in which they are recorded. */
function rowHash(entry) {
  const { commitments } = entry;
  const matched = entry.matched_rules.map(({ rule_id: ruleId, span, exception }) => ({
    ruleId,
    span,
    ...(exception === true && { exception }),
  }));
  const values = [
    entry.writer,
    entry.sequence,
    entry.occurred_at,
    entry.control,
    entry.outcome,
    entry.mode,
    entry.origin,
    entry.errored,
    entry.prompt_length,
    entry.duration_us,
    entry.rule_id,
    JSON.stringify(matched),
    JSON.stringify(entry.errored_rule_ids),
    entry.application,
    entry.request_id,
    entry.run_id,
    entry.tool,
    entry.ruleset_version,
    entry.rendering,
    entry.approval_id,
    entry.approval_step,
    commitments.prompt,
    commitments.matched_text,
    commitments.principal,
    commitments.policy,
  ];
  return sha256(JSON.stringify(values)).toString('base64url');
}

/** Compares texts with their commitments, where the export has the salt. */
function checkTexts(entry) {
  const texts = { prompt: entry.prompt, matchedText: entry.matched_text, policy: entry.policy };
  if (entry.principal_id !== null) texts.principal = entry.principal_id;
  const names = { prompt: 'prompt', matchedText: 'matched_text', principal: 'principal', policy: 'policy' };
  for (const [name, text] of Object.entries(texts)) {
    const expected = entry.commitments[names[name]];
    const salt = Buffer.from(entry.salt, 'base64url');
    const actual = typeof text === 'string' ? sha256(salt, `${name}\0${text}`).toString('base64url') : null;
    if (actual !== expected)
      differ(`The ${names[name]} of entry ${entry.id} is not the one that was recorded.`);
  }
}

/** Compares every entry with its leaf. Returns how many entries there are. */
async function readEntries(folder, files, { leaves, checkpoints }, toleranceMs) {
  const newest = checkpoints.at(-1)?.time ?? 0;
  const sequences = new Map();
  let [last, entries, unproved, unnamed] = [0, 0, 0, 0];
  for await (const line of linesOf(folder, files)) {
    const entry = JSON.parse(line);
    entries += 1;
    if (entry.id <= last)
      differ(`Entry ${entry.id} comes after entry ${last}: entries were reordered or repeated.`);
    else if (entry.sequence <= (sequences.get(entry.writer) ?? 0))
      differ(
        `Entry ${entry.id} has a lower number than an earlier entry of its writer: entries were reordered.`,
      );
    last = Math.max(last, entry.id);
    sequences.set(entry.writer, entry.sequence);
    const leaf = leaves.get(rowHash(entry));
    const time = Date.parse(entry.occurred_at);
    if (leaf !== undefined) {
      leaf.isExported = true;
      if (leaf.time !== time) differ(`Entry ${entry.id} has another time than its leaf: it was back-dated.`);
    } else if (time > newest - toleranceMs) unproved += 1;
    else differ(`Entry ${entry.id} is not in the log: it was changed or added.`);
    if (entry.blocked !== (entry.outcome === 'blocked'))
      differ(`The outcome of entry ${entry.id} contradicts its member blocked.`);
    if (typeof entry.salt === 'string') checkTexts(entry);
    else if (entry.prompt || entry.matched_text || entry.policy)
      differ(`Entry ${entry.id} has a text without its salt, so the text cannot be compared.`);
    else if (entry.principal_id !== null) unnamed += 1;
  }
  if (unnamed > 0)
    notices.push(`The names of ${unnamed} entries have no salt and are not proved. Ask for --with-content.`);
  if (unproved > 0)
    notices.push(`${unproved} entries are newer than the newest checkpoint and not proved by it.`);
  return entries;
}

/** An entry belongs between the checkpoints before and after its leaf. */
function checkTimes({ leaves, checkpoints }, toleranceMs) {
  let next = 0;
  for (const { index, time } of leaves.values()) {
    while (next < checkpoints.length && checkpoints[next].size <= index) next += 1;
    const [before, after] = [checkpoints[next - 1], checkpoints[next]];
    if (before !== undefined && time < before.time - toleranceMs)
      differ(
        `The entry of leaf ${index} is dated ${new Date(time).toISOString()}, but was recorded after ${new Date(before.time).toISOString()}: it was back-dated.`,
      );
    if (after !== undefined && time > after.time + toleranceMs)
      differ(`The entry of leaf ${index} is dated after the checkpoint that covers it.`);
  }
}

/** Every leaf of the period has its entry, except those that a recorded retention run deleted. */
function checkCompleteness({ leaves, removals }, query) {
  if (query.principal_id !== null) {
    notices.push('The export is filtered: whether it has every entry of the principal cannot be proved.');
    return;
  }
  const from = query.from === null ? -Infinity : boundary(query.from, 0);
  const to = query.to === null ? Infinity : boundary(query.to, 86_399_999);
  let [missing, young] = [0, 0];
  for (const { time, isExported } of leaves.values()) {
    if (isExported === true || time < from || time > to) continue;
    missing += 1;
    if (time >= removals.before) young += 1;
  }
  if (missing > removals.total || young > removals.singly)
    differ(
      `${missing} entries of the period are missing, and no recorded retention run deleted all of them: entries were removed.`,
    );
  else if (missing > 0)
    notices.push(
      `${missing} entries of the period are missing; the recorded retention runs deleted ${removals.total}.`,
    );
}

/** A bare date includes its whole day in UTC. */
function boundary(text, restOfDay) {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Date.parse(text) + restOfDay;
  return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

async function digestOf(path) {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk);
  return digest.digest('hex');
}

/** PEM, or base64 of the key, alone or as in a signed note: `name+id+key`. */
function publicKeyOf(given) {
  const text = existsSync(given) ? readFileSync(given, 'utf8').trim() : given;
  if (text.includes('BEGIN')) return createPublicKey(text);
  const encoded = /^(?:[^+\s]+\+[0-9a-f]{8}\+)?([A-Za-z0-9+/]{43,44}=?)$/.exec(text)?.[1] ?? '';
  const bytes = Buffer.from(encoded, 'base64').subarray(-32);
  if (bytes.length !== 32) throw new Error('The public key is neither PEM nor base64 of an Ed25519 key.');
  const key = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'public-key': { type: 'string' },
      checkpoint: { type: 'string' },
      tolerance: { type: 'string', default: '3600' },
    },
  });
  const [folder] = positionals;
  if (positionals.length !== 1 || values['public-key'] === undefined || !/^\d+$/.test(values.tolerance))
    throw new Error(
      'Usage: node verify-export.mjs FOLDER --public-key KEY [--checkpoint FILE] [--tolerance SECONDS]',
    );
  const publicKey = publicKeyOf(values['public-key']);
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  if (manifest.format !== 'guardrails.export.v1' || manifest.completed_at === null)
    throw new Error('The folder has no complete export.');
  if (!Array.isArray(manifest.log) || manifest.log.length === 0)
    throw new Error(
      'The export has no log: the instance has no audit.checkpoint_key, or made no checkpoint yet.',
    );
  for (const { file, sha256: expected } of [...manifest.parts, ...manifest.log])
    if ((await digestOf(join(folder, file))) !== expected)
      differ(`${file} was changed: it does not have the SHA-256 of the manifest.`);
  const heldNote =
    values.checkpoint === undefined ? null : readFileSync(values.checkpoint, 'utf8').replaceAll('\r\n', '\n');
  const held =
    heldNote === null ? null : checkpointOf(heldNote, publicKey, 'The checkpoint that was held elsewhere');
  if (heldNote === null)
    notices.push(
      'No checkpoint from elsewhere was given: whether the end of the log was cut off cannot be proved.',
    );
  const toleranceMs = Number(values.tolerance) * 1000;
  const log = await readLog(
    folder,
    manifest.log.map(({ file }) => file),
    publicKey,
    held,
  );
  const entries = await readEntries(
    folder,
    manifest.parts.map(({ file }) => file),
    log,
    toleranceMs,
  );
  if (entries !== manifest.rows)
    differ(`The export has ${entries} entries, but the manifest names ${manifest.rows}.`);
  checkTimes(log, toleranceMs);
  checkCompleteness(log, manifest.query);
  for (const difference of differences.slice(0, MAX_SHOWN)) console.log(difference);
  if (differences.length > MAX_SHOWN)
    console.log(`… and ${differences.length - MAX_SHOWN} more differences.`);
  for (const notice of notices) console.log(`Note: ${notice}`);
  console.log(
    `${entries} entries, ${log.leaves.size} of them in the log, ${log.checkpoints.length} checkpoints.`,
  );
  console.log(differences.length === 0 ? 'No difference was found.' : 'The export is NOT authentic.');
  return differences.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
