import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { textOf } from './text-of.js';

const NAMES = [
  'operatorToken',
  'viewerToken',
  'password',
  'sessionSecret',
  'tokenSecret',
  'hashKey',
] as const;

/** Every secret of one data folder: random, made once, kept beside the data. */
export type Credentials = Readonly<Record<(typeof NAMES)[number], string>>;

export function openCredentials(file: string): Credentials {
  const text = textOf(file);
  return text === null ? create(file) : parse(file, text);
}

function create(file: string): Credentials {
  const credentials: Credentials = {
    operatorToken: random(32),
    viewerToken: random(32),
    password: random(12),
    sessionSecret: random(32),
    tokenSecret: random(32),
    hashKey: random(32),
  };
  // A kill in between must not leave half a file.
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return credentials;
}

function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

function parse(file: string, text: string): Credentials {
  chmodSync(file, 0o600);
  const held = objectIn(text);
  const missing = NAMES.filter((name) => typeof held[name] !== 'string' || held[name].length < 16);
  if (missing.length === 0) return held as Credentials;
  throw new Error(`${file} lacks ${missing.join(', ')}. Put it right, or remove it to get new secrets.`);
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const held: unknown = JSON.parse(text);
    return typeof held === 'object' && held !== null ? (held as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
