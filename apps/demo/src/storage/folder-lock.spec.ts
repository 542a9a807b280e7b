import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FolderInUse, FolderLock, identityOf } from './folder-lock.js';

describe('FolderLock', () => {
  let parent: string;
  let folder: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'folder-lock-'));
    folder = join(parent, 'postgres');
  });

  afterEach(() => rmSync(parent, { recursive: true }));

  const heldBy = (holder: unknown): void => writeFileSync(`${folder}.lock`, JSON.stringify(holder));

  it('rejects a second lock and names the process', () => {
    FolderLock.acquire(folder);
    expect(() => FolderLock.acquire(folder)).toThrow(FolderInUse);
    expect(() => FolderLock.acquire(folder)).toThrow(`in use by process ${process.pid}`);
  });

  it('removes the lock file on release', () => {
    FolderLock.acquire(folder).release();
    expect(existsSync(`${folder}.lock`)).toBe(false);
    FolderLock.acquire(folder).release();
  });

  it('replaces the lock of a process that no longer runs', () => {
    const gone = spawnSync(process.execPath, ['--version']).pid;
    heldBy({ pid: gone, startedAt: null });
    expect(() => FolderLock.acquire(folder)).not.toThrow();
  });

  it('replaces the lock of an earlier process with the same pid', () => {
    if (identityOf(process.pid).startedAt === null) return;
    heldBy({ pid: process.pid, startedAt: '1' });
    expect(() => FolderLock.acquire(folder)).not.toThrow();
  });

  it.each(['', 'not json', '{}', '{"pid":-1}', '{"pid":"1"}'])('replaces an unreadable lock: %j', (text) => {
    writeFileSync(`${folder}.lock`, text);
    expect(() => FolderLock.acquire(folder)).not.toThrow();
  });

  it('does not remove the lock of another process', () => {
    const first = FolderLock.acquire(folder);
    heldBy(identityOf(process.pid));
    first.release();
    expect(existsSync(`${folder}.lock`)).toBe(true);
  });
});
