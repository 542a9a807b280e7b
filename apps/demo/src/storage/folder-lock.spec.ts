import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FolderInUse, FolderLock } from './folder-lock.js';
import { identityOf } from './process-identity.js';

describe('FolderLock', () => {
  let parent: string;
  let folder: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'folder-lock-'));
    folder = join(parent, 'postgres');
  });

  afterEach(() => rmSync(parent, { recursive: true }));

  const heldBy = (holder: unknown): void => writeFileSync(`${folder}.lock`, JSON.stringify(holder));

  it('refuses a second holder in words that name the process', () => {
    FolderLock.acquire(folder);
    expect(() => FolderLock.acquire(folder)).toThrow(FolderInUse);
    expect(() => FolderLock.acquire(folder)).toThrow(`in use by process ${process.pid}`);
  });

  it('can be taken again after it was released, and leaves nothing behind', () => {
    FolderLock.acquire(folder).release();
    expect(existsSync(`${folder}.lock`)).toBe(false);
    FolderLock.acquire(folder).release();
  });

  it('takes over from a process that is gone', () => {
    const gone = spawnSync(process.execPath, ['--version']).pid;
    heldBy({ pid: gone, startedAt: null });
    expect(() => FolderLock.acquire(folder)).not.toThrow();
  });

  it('takes over where the pid now belongs to a process that started at another time', () => {
    if (identityOf(process.pid).startedAt === null) return;
    heldBy({ pid: process.pid, startedAt: '1' });
    expect(() => FolderLock.acquire(folder)).not.toThrow();
  });

  it.each(['', 'not json', '{}', '{"pid":-1}', '{"pid":"1"}'])(
    'takes over an unreadable lock: %j',
    (text) => {
      writeFileSync(`${folder}.lock`, text);
      expect(() => FolderLock.acquire(folder)).not.toThrow();
    },
  );

  it("never removes another holder's lock", () => {
    const first = FolderLock.acquire(folder);
    heldBy(identityOf(process.pid));
    first.release();
    expect(existsSync(`${folder}.lock`)).toBe(true);
  });
});
