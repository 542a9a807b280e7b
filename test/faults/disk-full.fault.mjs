import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountOf, giveTo } from '../servers/account.mjs';
import { Load } from './load.mjs';
import { until } from './time-limits.mjs';
import { NotSupportedHere, query } from './fault-environment.mjs';
import { assertRecorded, assertRollupsEqualRows, assertWhole } from './records.mjs';

const SMALL_BYTES = 96 * 2 ** 20;

export const faults = {
  async 'strict calls are refused with store_unavailable, and succeed again when there is free space'(
    environment,
  ) {
    const disk = smallDisk(environment);
    const server = await environment.ownServer();
    await query(server.url, `create tablespace small location '${disk.tables}'`);
    const url = await environment.database({ server, clause: 'tablespace small' });
    const engine = await environment.engine(url);
    const load = new Load(engine, { callers: 16 });
    await until(() => load.acknowledged.length >= 500, 'five hundred calls');

    const room = disk.fill();
    await until(() => load.refused.length >= 50, 'fifty refusals');
    const before = load.acknowledged.length;
    room.give();
    await until(() => load.acknowledged.length >= before + 500, 'five hundred calls with room again');
    await load.stop();

    assert.deepEqual([...new Set(load.refused.map(({ code }) => code))], ['store_unavailable']);
    await assertRecorded(url, load.acknowledged);
    await assertWhole(url);
    await assertRollupsEqualRows(url);
  },
};

/** A new tmpfs if mounting is allowed, otherwise /dev/shm if it is small, as in a container. */
function smallDisk(environment) {
  const disk = mounted(environment) ?? smallSharedMemory(environment);
  const tables = join(disk, 'tables');
  mkdirSync(tables, { mode: 0o700 });
  giveTo(accountOf(['postgres', 'nobody']), tables);
  return {
    tables,
    fill() {
      const path = join(disk, 'filler');
      for (let size = 2 ** 20; size >= 512; size /= 2) {
        const piece = Buffer.alloc(size);
        while (fits(path, piece));
      }
      return { give: () => rmSync(path) };
    },
  };
}

function fits(path, piece) {
  try {
    writeFileSync(path, piece, { flag: 'a' });
    return true;
  } catch (error) {
    if (error.code === 'ENOSPC') return false;
    throw error;
  }
}

function mounted(environment) {
  const folder = mkdtempSync(join(tmpdir(), 'guardrails-small-disk-'));
  chmodSync(folder, 0o755);
  const options = ['-t', 'tmpfs', '-o', `size=${SMALL_BYTES},mode=755`, 'tmpfs', folder];
  const { status } = spawnSync('mount', options, { stdio: 'ignore' });
  environment.onEnd(() => {
    if (status === 0) spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  });
  return status === 0 ? folder : null;
}

function smallSharedMemory(environment) {
  const { bavail, bsize } = statfsSync('/dev/shm', { throwIfNoEntry: false }) ?? { bavail: 0, bsize: 0 };
  const free = bavail * bsize;
  if (free < SMALL_BYTES / 2 || free > 4 * SMALL_BYTES) {
    throw new NotSupportedHere('it needs the permission to mount a tmpfs, or a /dev/shm of 48 to 384 MB');
  }
  const folder = mkdtempSync('/dev/shm/guardrails-small-disk-');
  chmodSync(folder, 0o755);
  environment.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
