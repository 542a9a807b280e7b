// Validates the documents of the siem sink with the published OCSF schema: node test/sinks/ocsf-documents.mjs FOLDER
// FOLDER contains `events`, `objects`, `profiles` and `dictionary.json` of ocsf/ocsf-schema 1.8, or the parts needed.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS } from '../../dist/libs/contracts/src/events/events.js';
import { ocsfDocument } from '../../dist/libs/sinks/src/ocsf.js';

const folder = process.argv[2] ?? '';
const json = (path) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
const dictionary = json('dictionary.json');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.json'),
);
const definitions = new Map();
for (const file of files) {
  const [kind] = file.split('/');
  if (!['events', 'objects', 'profiles'].includes(kind)) continue;
  const found = json(file);
  definitions.set(`${kind}/${found.name}`, found);
}

/** All attributes, including those of its base and of the profiles of the document. */
function attributesOf(kind, name, profiles) {
  const found = definitions.get(`${kind}/${name}`);
  if (found === undefined) return null;
  const own = Object.entries(found.attributes ?? {}).filter(([key]) => !key.startsWith('$'));
  const inherited = found.extends === undefined ? {} : (attributesOf(kind, found.extends, []) ?? {});
  const profiled = profiles.flatMap((profile) =>
    Object.entries(definitions.get(`profiles/${profile}`)?.attributes ?? {}),
  );
  const merged = { ...inherited };
  for (const [key, value] of [...profiled, ...own])
    merged[key] = { ...merged[key], ...value, enum: { ...merged[key]?.enum, ...value.enum } };
  return merged;
}

/** Unknown attributes are errors only if all bases are in FOLDER. */
function isWhole(kind, name) {
  const found = definitions.get(`${kind}/${name}`);
  return found !== undefined && (found.extends === undefined || isWhole(kind, found.extends));
}

/** The schema server computes these from the class and its category. */
const COMPUTED = new Set(['category_uid', 'class_uid']);

const PRIMITIVES = {
  integer_t: Number.isSafeInteger,
  long_t: Number.isSafeInteger,
  timestamp_t: Number.isSafeInteger,
  float_t: Number.isFinite,
  boolean_t: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object',
  json_t: () => true,
};

function check(kind, name, value, profiles, path, problems) {
  const attributes = attributesOf(kind, name, profiles);
  // FOLDER does not contain this definition.
  if (attributes === null) return;
  for (const [key, { requirement }] of Object.entries(attributes))
    if (requirement === 'required' && value[key] === undefined) problems.push(`${path}.${key} is missing`);
  for (const group of Object.entries(definitions.get(`${kind}/${name}`)?.constraints ?? {})) {
    const [rule, keys] = group;
    if (rule === 'at_least_one' && !keys.some((key) => value[key] !== undefined))
      problems.push(`${path} needs one of ${keys.join(', ')}`);
  }
  for (const [key, held] of Object.entries(value)) {
    const here = `${path}.${key}`;
    const attribute = attributes[key];
    if (attribute === undefined) {
      if (isWhole(kind, name)) problems.push(`${here} is not in the schema`);
      continue;
    }
    const entry = { ...dictionary.attributes[key], ...attribute };
    const values = entry.is_array === true ? held : [held];
    if (!Array.isArray(values)) {
      problems.push(`${here} must be a list`);
      continue;
    }
    const options = { ...dictionary.attributes[key]?.enum, ...attribute.enum };
    for (const one of values) {
      if (!COMPUTED.has(key) && Object.keys(options).length > 0 && !(String(one) in options))
        problems.push(`${here} is ${one}, which is not allowed`);
      const type = entry.object_type ?? entry.type;
      if (type in PRIMITIVES) {
        if (!PRIMITIVES[type](one)) problems.push(`${here} is not of type ${type}`);
      } else if (type?.endsWith('_t')) {
        if (typeof one !== 'string') problems.push(`${here} is not of type ${type}`);
      } else if (typeof one === 'object') check('objects', type, one, [], here, problems);
    }
  }
}

const CLASSES = { 2004: 'detection_finding', 6003: 'api_activity' };
const PAYLOADS = [
  {
    control: 'input_screen',
    outcome: 'blocked',
    mode: 'enforce',
    rule_id: 'a.rule',
    tool: null,
    application: 'shop',
    request_id: 'req-1',
    run_id: 'run-1',
    principal_id: 'customer-42',
    actor_id: null,
  },
  {
    control: 'tool_firewall',
    outcome: 'observed',
    mode: 'monitor',
    rule_id: null,
    tool: 'refund',
    application: null,
    request_id: null,
    run_id: null,
    principal_id: null,
    actor_id: 'ops-1',
  },
  { actor_id: 'ops-1', revision: 3, request_id: 'req-1', keys: ['modes.hitl'] },
];
const counts = { passed: 0, failed: 0 };
for (const { eventName, severity } of EVENTS) {
  for (const payload of PAYLOADS) {
    for (const content of [null, { prompt: 'hello', promptStorage: 'redact', matchedText: null }]) {
      const event = {
        id: crypto.randomUUID(),
        name: eventName,
        subject: 'run:1',
        severity,
        occurredAt: new Date(),
        position: 1,
        auditId: 1,
        attempts: 0,
        link: 'https://admin.example/1',
        content,
        payload,
      };
      const document = JSON.parse(JSON.stringify(ocsfDocument(event)));
      const problems = [];
      check(
        'events',
        CLASSES[document.class_uid],
        document,
        document.metadata.profiles ?? [],
        eventName,
        problems,
      );
      const { uid } = definitions.get(`events/${CLASSES[document.class_uid]}`);
      if (document.class_uid !== document.category_uid * 1000 + uid) problems.push(`${eventName}.class_uid`);
      if (document.type_uid !== document.class_uid * 100 + document.activity_id)
        problems.push(`${eventName}.type_uid`);
      counts[problems.length === 0 ? 'passed' : 'failed']++;
      for (const problem of new Set(problems)) console.log(problem);
    }
  }
}
assert.ok(
  definitions.has('events/detection_finding') && definitions.has('events/api_activity'),
  'FOLDER does not contain the OCSF schema',
);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
