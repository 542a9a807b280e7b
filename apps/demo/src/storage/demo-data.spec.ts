import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openCredentials, openPrivateFolder, SeedMarker } from './demo-data.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-data-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('DATA_DIR', () => {
  it.each([0o777, 0o775, 0o757, 0o1777])('is rejected if other users can write it (%o)', (mode) => {
    chmodSync(folder, mode);
    expect(() => openPrivateFolder(folder)).toThrow(
      `Other users can write to ${folder}. Run chmod go-w on it`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('can be a private folder itself', () => {
    chmodSync(folder, 0o700);
    expect(modeOf(openPrivateFolder(folder))).toBe(0o700);
    expect(modeOf(folder)).toBe(0o700);
  });

  it('makes an existing private folder private again', () => {
    mkdirSync(join(folder, 'private'), { mode: 0o755 });
    expect(modeOf(openPrivateFolder(folder))).toBe(0o700);
  });

  it('is created for the owner only', () => {
    const created = join(folder, 'one', 'two');
    openPrivateFolder(created);
    expect([modeOf(created), modeOf(join(created, 'private'))]).toEqual([0o700, 0o700]);
  });

  it('is checked at the target of a symbolic link', () => {
    const target = join(folder, 'target');
    mkdirSync(target);
    chmodSync(target, 0o777);
    symlinkSync(target, join(folder, 'link'));
    expect(() => openPrivateFolder(join(folder, 'link'))).toThrow(/Other users can write/);
  });
});

describe('the credentials', () => {
  let file: string;

  beforeEach(() => {
    file = join(folder, 'credentials.json');
  });

  it('are created once, readable by the owner only', () => {
    const created = openCredentials(file);
    expect(modeOf(file)).toBe(0o600);
    expect(openCredentials(file)).toEqual(created);
    expect(readdirSync(folder)).toEqual(['credentials.json']);
  });

  it('are different and long enough for their use', () => {
    const secrets = Object.values(openCredentials(file));
    expect(new Set(secrets).size).toBe(9);
    expect(secrets.every((secret) => secret.length >= 16)).toBe(true);
    expect(openCredentials(file).tokenSecret.length).toBeGreaterThanOrEqual(32);
  });

  it('are made private again if the mode of the file was changed', () => {
    openCredentials(file);
    chmodSync(file, 0o644);
    openCredentials(file);
    expect(modeOf(file)).toBe(0o600);
  });

  it.each(['', 'null', '[]', '{"password":"short"}'])('rejects an invalid file: %j', (text) => {
    writeFileSync(file, text);
    expect(() => openCredentials(file)).toThrow(/lacks ops-1.token, ops-1.password, ops-2.token/);
  });
});

describe('SeedMarker', () => {
  it('marks each database separately', () => {
    const embedded = SeedMarker.of(join(folder, 'postgres'));
    const external = SeedMarker.of(join(folder, 'database'), 'postgres://localhost/one');
    external.set();
    expect(external.isSet).toBe(true);
    expect(embedded.isSet).toBe(false);
    expect(SeedMarker.of(join(folder, 'database'), 'postgres://localhost/two').isSet).toBe(false);
    expect(SeedMarker.of(join(folder, 'database'), 'postgres://localhost/one').isSet).toBe(true);
    external.clear();
    expect(external.isSet).toBe(false);
  });
});
