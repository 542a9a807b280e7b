#!/usr/bin/env node
// Verifies a folder that `nest-guardrails audit export` wrote, with no code of nest-guardrails. Needs Node 20 or newer.
//
//   node verify-export.mjs FOLDER --public-key KEY [--checkpoint FILE …] [--from TIME] [--to TIME] [--tolerance SECONDS] [--filtered]
//
// KEY         the Ed25519 public key: PEM or base64, or a file with it. Do not take it from the sender of the export.
//             After a change of the key: both, separated by a comma.
// FILE        a checkpoint that you received earlier; repeat it for several. Without one, it cannot be detected that the newest
//             entries were removed.
// TIME        the period that must be complete, as you asked for it. Default: as the manifest states it.
// SECONDS     how far the time of an entry may be from the checkpoints around it. Default: 3600. Not less than the interval
//             of the checkpoints.
// --filtered  you asked for the entries of one person, so the others are missing.
//
// Exits with 0 if nothing differs, with 1 after a difference, and with 2 if the call or a file is invalid.
//
// The log is a hash tree as in RFC 6962. It hashes the JSON text [kind, time, hash] of each leaf. The hash of an entry covers all
// members of its line except the id, the storage of the prompt, the span of the matched text, and the name of the principal and
// the texts, for which it covers the commitments.
// Checkpoints are signed notes as in the C2SP specifications `signed-note` and `tlog-checkpoint`.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';

const MAX_SHOWN = 20;
const LONGEST = 400;
const differences = [];
let furtherDifferences = 0;
const notices = [];

/** A text of the export cannot control the terminal. */
const shown = (text) => text.slice(0, LONGEST).replaceAll(/[\p{C}\u2028\u2029]/gu, '?');

function differ(text) {
  if (differences.length < MAX_SHOWN) differences.push(shown(text));
  else furtherDifferences += 1;
}

const iso = (time) => new Date(time).toISOString();

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
function checkpointOf(note, publicKeys, name) {
  const end = note.indexOf('\n\n');
  if (end < 0)
    throw new Error(
      `${name} is not a signed note. In an event of a sink, the note is the member data.note: save its text alone.`,
    );
  const text = note.slice(0, end + 1);
  const [origin, size, root, ...extensions] = text.split('\n');
  const time = Date.parse(extensions.find((line) => line.startsWith('time '))?.slice(5) ?? '');
  const isSigned = note
    .slice(end + 2)
    .split('\n')
    .some((line) => {
      const [, signer, encoded = ''] = /^\u2014 (\S+) (\S+)$/.exec(line) ?? [];
      const signature = Buffer.from(encoded, 'base64').subarray(4);
      return signer === origin && publicKeys.some((key) => verify(null, Buffer.from(text), key, signature));
    });
  if (!isSigned || Number.isNaN(time)) {
    differ(`Not signed with this key: ${name}. It was changed, or the log was rebuilt with another key.`);
    return null;
  }
  return { name, size: Number(size), root, time };
}

/** Lines of compressed files, one after the other. */
async function* linesOf(folder, files) {
  for (const file of files) {
    const stream = createReadStream(join(folder, file)).pipe(createGunzip());
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) yield line;
  }
}

/** Reads leaves and checkpoints, and computes the tree again. `held`: checkpoints from elsewhere, by size. */
async function readLog(folder, files, publicKeys, held) {
  const tree = new Tree();
  const leaves = new Map();
  const checkpoints = [];
  const removals = [];
  const pending = [...held];
  const accept = (checkpoint) => {
    const last = checkpoints.at(-1);
    // A checkpoint from elsewhere is usually in the log too, and counts once.
    if (last?.size !== checkpoint.size || last.time !== checkpoint.time) checkpoints.push(checkpoint);
    if (checkpoint.size === tree.size && checkpoint.root === tree.root().toString('base64')) return;
    differ(
      `The first ${checkpoint.size} leaves do not have the root of ${checkpoint.name}: the log was changed or reordered.`,
    );
  };
  let covered = 0;
  for await (const text of linesOf(folder, files)) {
    const line = JSON.parse(text);
    if (typeof line.checkpoint === 'string') {
      const checkpoint = checkpointOf(line.checkpoint, publicKeys, `the checkpoint at leaf ${tree.size}`);
      if (checkpoint !== null) accept(checkpoint);
      covered = checkpoint?.size ?? covered;
      continue;
    }
    const [kind, time, hash] = line.leaf;
    if (kind === 'evidence') leaves.set(hash, { index: tree.size, time: Date.parse(time) });
    if (kind === 'retention_run') removals.push(...removalOf(line.record, hash, tree.size));
    tree.append(Buffer.from(JSON.stringify([kind, time, hash])));
    while (pending[0]?.size === tree.size) accept(pending.shift());
  }
  for (const { name, size } of pending)
    differ(
      `The log has ${tree.size} leaves, but ${name} covers ${size}: its end was removed, or ${name} is newer than the export.`,
    );
  if (covered === 0) differ('The export has no checkpoint with a valid signature.');
  else if (covered !== tree.size)
    differ(`${tree.size - covered} leaves at the end of the log have no checkpoint.`);
  return { leaves, checkpoints, removals };
}

/** What a retention run deleted. Its fields are in the export, because only their hash is in the log. */
function removalOf(fields, hash, index) {
  if (!Array.isArray(fields) || sha256(JSON.stringify(fields)).toString('base64url') !== hash) {
    differ('The record of a retention run does not have the hash of its leaf: it was changed.');
    return [];
  }
  const [, , strategy, scope, counts] = fields;
  const { kind, before } = JSON.parse(scope);
  if (strategy !== 'purge') return [];
  return [
    { index, entries: JSON.parse(counts).entries, before: kind === 'before' ? Date.parse(before) : null },
  ];
}

const COMMITTED = ['prompt', 'matched_text', 'principal', 'policy'];
/** Members that the hash of an entry covers, in this order. The commitments follow. */
const HASHED =
  `writer sequence occurred_at control outcome mode origin errored prompt_length duration_us rule_id
  matched_rules errored_rule_ids findings finding_count application request_id run_id tool ruleset_version
  rendering approval_id approval_step`.split(/\s+/);
/** Members that the first version did not have. The hash ends with [name, value] of each that is not null. */
const LATER = [];
/** Members of a line and of the objects inside it, in the order in which they are written. */
const MEMBERS =
  `id control blocked outcome mode origin rule_id principal_id application ruleset_version prompt_length
  errored occurred_at ${LATER.join(' ')} kind detector matched_rules span exception mentioned score threshold errored_rule_ids not_judged_rule_ids findings finding_count request_id run_id tool rendering duration_us
  approval_id approval_step commitments writer sequence prompt_storage prompt matched_span matched_text principal
  policy salt`.split(/\s+/);

/** SHA-256 over the members of a line, in the order in which they are recorded. */
function rowHash(entry) {
  const matched = entry.matched_rules.map(
    ({ rule_id: ruleId, span, exception, mentioned, score, threshold }) => ({
      ruleId,
      span,
      mentioned,
      score,
      threshold,
      ...(exception === true && { exception }),
    }),
  );
  // Exports of earlier versions have no such member.
  const notJudged = (entry.not_judged_rule_ids ?? []).map((ruleId) => ({
    ruleId,
    span: [0, 0],
    notJudged: true,
  }));
  const texts = {
    matched_rules: JSON.stringify([...matched, ...notJudged]),
    errored_rule_ids: JSON.stringify(entry.errored_rule_ids),
    findings: entry.findings.length === 0 ? null : JSON.stringify(entry.findings),
  };
  const values = HASHED.map((name) => (name in texts ? texts[name] : entry[name]));
  const commitments = COMMITTED.map((name) => entry.commitments[name]);
  const later = LATER.filter((name) => (entry[name] ?? null) !== null).map((name) => [name, entry[name]]);
  return sha256(JSON.stringify([...values, ...commitments, ...later])).toString('base64url');
}

/** Compares texts with their commitments, where the export has the salt. */
function checkTexts(entry) {
  const salt = Buffer.from(entry.salt, 'base64url');
  for (const name of COMMITTED) {
    const text = name === 'principal' ? entry.principal_id : entry[name];
    // An erased name keeps its commitment.
    if (name === 'principal' && text === null) continue;
    const label = name === 'matched_text' ? 'matchedText' : name;
    const actual = typeof text === 'string' ? sha256(salt, `${label}\0${text}`).toString('base64url') : null;
    if (actual !== entry.commitments[name])
      differ(`The ${name} of entry ${entry.id} is not the one that was recorded.`);
  }
}

/** Compares every entry with its leaf. Returns how many entries there are, and how many have a leaf. */
async function readEntries(folder, files, { leaves, checkpoints }, toleranceMs) {
  const newest = checkpoints.at(-1)?.time ?? 0;
  const sequences = new Map();
  const unproved = [];
  let [last, entries, logged, unnamed] = [0, 0, 0, 0];
  for await (const line of linesOf(folder, files)) {
    const entry = JSON.parse(line);
    entries += 1;
    if (JSON.stringify(entry, MEMBERS) !== line)
      differ(`The line of entry ${entry.id} has members that no export writes: it was changed.`);
    if (!(entry.id > last))
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
      logged += 1;
      if (leaf.time !== time) differ(`Entry ${entry.id} has another time than its leaf: it was back-dated.`);
    } else if (time > newest - toleranceMs && time <= newest + toleranceMs) unproved.push(entry.id);
    else differ(`Entry ${entry.id} is not in the log: it was changed or added.`);
    if (entry.blocked !== (entry.outcome === 'blocked'))
      differ(`The outcome of entry ${entry.id} contradicts its member blocked.`);
    if (typeof entry.salt === 'string') checkTexts(entry);
    else if (entry.prompt || entry.matched_text || entry.policy)
      differ(`Entry ${entry.id} has a text without its salt, so the text cannot be compared.`);
    else if (entry.principal_id !== null) unnamed += 1;
  }
  if (unnamed > 0)
    notices.push(
      `The names of ${unnamed} entries have no salt and are not proved. An export with --with-content contains the salts.`,
    );
  if (unproved.length > 0)
    notices.push(
      `No checkpoint covers ${unproved.length} entries, which were recorded around or after ${iso(newest)}, or changed, or added: ${unproved.join(', ')}.`,
    );
  return { entries, logged, unproved: unproved.length };
}

/** An entry belongs between the checkpoints before and after its leaf. */
function checkTimes({ leaves, checkpoints }, toleranceMs) {
  let next = 0;
  for (const { index, time } of leaves.values()) {
    while (next < checkpoints.length && checkpoints[next].size <= index) next += 1;
    const [before, after] = [checkpoints[next - 1], checkpoints[next]];
    if (before !== undefined && time < before.time - toleranceMs)
      differ(
        `The entry of leaf ${index} is dated ${iso(time)}, but was recorded after ${iso(before.time)}: it was back-dated.`,
      );
    if (after !== undefined && time > after.time + toleranceMs)
      differ(`The entry of leaf ${index} is dated after the checkpoint that covers it.`);
  }
  const gaps = checkpoints
    .slice(1)
    .map(({ time }, index) => [time - checkpoints[index].time, checkpoints[index].time]);
  const [length = 0, start = 0] = gaps.toSorted(([one], [other]) => other - one)[0] ?? [];
  if (length > toleranceMs)
    notices.push(
      `There is no checkpoint between ${iso(start)} and ${iso(start + length)}. Within such a time a wrong date is not detected.`,
    );
}

/** Every leaf of the period has its entry, except those that a recorded retention run deleted. */
function checkCompleteness({ leaves, checkpoints, removals }, { from, to, isFiltered }, toleranceMs) {
  if (isFiltered) {
    notices.push('The export is filtered: whether it has every entry of the principal cannot be proved.');
    return;
  }
  const missing = [...leaves.values()].filter(
    ({ time, isExported }) => isExported !== true && time >= from && time <= to,
  );
  if (isUnexplained(missing, removals))
    differ(
      `${missing.length} entries of the period are missing, and no recorded retention run deleted all of them: entries were removed or changed.`,
    );
  else if (missing.length > 0)
    notices.push(
      `${missing.length} entries of the period are missing. The recorded retention runs deleted as many or more.`,
    );
  const newest = checkpoints.at(-1)?.time;
  if (newest !== undefined && to > newest + toleranceMs)
    notices.push(`No checkpoint is newer than ${iso(newest)}. Later entries of the period can be missing.`);
}

/** A run deletes only what was recorded before it and, if it deletes by age, what is older than its limit. */
function isUnexplained(missing, removals) {
  const later = [...removals];
  let [deleted, deletedSingly, before] = [0, 0, -Infinity];
  let young = 0;
  for (const [count, leaf] of missing.toReversed().entries()) {
    while (later.length > 0 && later.at(-1).index > leaf.index) {
      const run = later.pop();
      deleted += run.entries;
      if (run.before === null) deletedSingly += run.entries;
      else before = Math.max(before, run.before);
    }
    if (leaf.time >= before) young += 1;
    if (count + 1 > deleted || young > deletedSingly) return true;
  }
  return false;
}

/** A bare date includes its whole day in UTC. */
function boundary(text, restOfDay) {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Date.parse(text) + restOfDay;
  return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

/** The period as the auditor gives it or, without that, as the manifest states it. */
function periodOf(values, query) {
  if (query?.principal_id !== null && typeof query?.principal_id !== 'string')
    throw new Error('The manifest has no description of the export.');
  const [from, to] = [values.from ?? query.from, values.to ?? query.to];
  return {
    from: from === null ? -Infinity : boundary(from, 0),
    to: to === null ? Infinity : boundary(to, 86_399_999),
    isFiltered: values.filtered,
    text: `from ${from ?? 'the beginning'} to ${to ?? 'the end'}`,
  };
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
      checkpoint: { type: 'string', multiple: true, default: [] },
      from: { type: 'string' },
      to: { type: 'string' },
      tolerance: { type: 'string', default: '3600' },
      filtered: { type: 'boolean', default: false },
    },
  });
  const [folder] = positionals;
  if (positionals.length !== 1 || values['public-key'] === undefined || !/^\d+$/.test(values.tolerance))
    throw new Error(
      'Usage: node verify-export.mjs FOLDER --public-key KEY [--checkpoint FILE …] [--from TIME] [--to TIME] [--tolerance SECONDS] [--filtered]',
    );
  const publicKeys = values['public-key'].split(',').map(publicKeyOf);
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  if (manifest.format !== 'guardrails.export.v1' || manifest.completed_at === null)
    throw new Error('The folder has no complete export.');
  if (!Array.isArray(manifest.log) || manifest.log.length === 0)
    throw new Error(
      'The export has no log: the instance has no audit.checkpoint_key, or made no checkpoint yet.',
    );
  if (sha256(JSON.stringify(manifest.parts)).toString('hex') !== manifest.parts_sha256)
    differ('The list of parts was changed: it does not have the SHA-256 of the manifest.');
  const period = periodOf(values, manifest.query);
  // Otherwise the sender could leave entries out by a member of the manifest.
  if (manifest.query.principal_id !== null && !values.filtered)
    differ(
      'The manifest says that the export is filtered. Pass --filtered if you asked for the entries of one person.',
    );
  if (Number.isNaN(period.from) || Number.isNaN(period.to))
    throw new Error('--from and --to take a date or a time, such as 2026-03-01 or 2026-03-01T08:00:00Z.');
  const filesOf = (parts) => parts.map(({ file }) => file);
  for (const { file, sha256: expected } of [...manifest.parts, ...manifest.log]) {
    if (!/^[\w-]+\.ndjson\.gz$/.test(file)) throw new Error('The manifest names a file outside the export.');
    if ((await digestOf(join(folder, file))) !== expected)
      differ(`${file} was changed: it does not have the SHA-256 of the manifest.`);
  }
  const held = values.checkpoint
    .map((file) => {
      const note = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
      return checkpointOf(note, publicKeys, `the checkpoint that was kept elsewhere (${file})`);
    })
    .filter((checkpoint) => checkpoint !== null)
    .toSorted((one, other) => one.size - other.size);
  if (values.checkpoint.length === 0)
    notices.push(
      'No checkpoint from elsewhere was given: whether the end of the log was removed cannot be proved.',
    );
  const toleranceMs = Number(values.tolerance) * 1000;
  let summary = 'The export could not be read to its end.';
  let unproved = 0;
  try {
    const log = await readLog(folder, filesOf(manifest.log), publicKeys, held);
    const read = await readEntries(folder, filesOf(manifest.parts), log, toleranceMs);
    const { entries, logged } = read;
    unproved = read.unproved;
    if (entries !== manifest.rows)
      differ(`The export has ${entries} entries, but the manifest names ${manifest.rows}.`);
    checkTimes(log, toleranceMs);
    checkCompleteness(log, period, toleranceMs);
    summary = `${entries} entries ${period.text}, ${logged} of them in the log, ${log.checkpoints.length} checkpoints.`;
  } catch (error) {
    differ(`A file of the export is damaged or was changed: ${error.message}.`);
  }
  for (const difference of differences) console.log(difference);
  if (furtherDifferences > 0) console.log(`… and ${furtherDifferences} more differences.`);
  for (const notice of notices) console.log(`Note: ${shown(notice)}`);
  console.log(shown(summary));
  if (differences.length > 0) console.log('The export is NOT authentic.');
  else if (unproved > 0) console.log(`No difference was found. ${unproved} entries are not proved.`);
  else console.log('No difference was found.');
  return differences.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
