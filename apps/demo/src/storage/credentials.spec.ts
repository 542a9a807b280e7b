import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openCredentials } from './credentials.js';

describe('the credentials of a data folder', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'credentials-'));
    file = join(folder, 'credentials.json');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const mode = (): number => statSync(file).mode & 0o777;

  it('are made once, for the owner alone', () => {
    const made = openCredentials(file);
    expect(mode()).toBe(0o600);
    expect(openCredentials(file)).toEqual(made);
    expect(readdirSync(folder)).toEqual(['credentials.json']);
  });

  it('are all different, and long enough for the keys they are', () => {
    const secrets = Object.values(openCredentials(file));
    expect(new Set(secrets).size).toBe(6);
    expect(secrets.every((secret) => secret.length >= 16)).toBe(true);
    expect(openCredentials(file).tokenSecret.length).toBeGreaterThanOrEqual(32);
  });

  it('are closed to others again where someone opened the file', () => {
    openCredentials(file);
    chmodSync(file, 0o644);
    openCredentials(file);
    expect(mode()).toBe(0o600);
  });

  it.each(['', 'null', '[]', '{"password":"short"}'])('refuses a broken file in words: %j', (text) => {
    writeFileSync(file, text);
    expect(() => openCredentials(file)).toThrow(/lacks operatorToken, viewerToken, password/);
  });
});
