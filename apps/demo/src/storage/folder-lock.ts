import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.js';
import { textOf } from './text-of.js';

/** Someone else has the folder open. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';

  constructor(folder: string, pid: number) {
    super(
      `${folder} is in use by process ${pid}. Stop that process first, or set DATA_DIR to another folder.`,
    );
  }
}

/**
 * A file beside a folder that names the process which has it open. The embedded database has no lock of its own, and
 * two processes in one folder would destroy it. A lock whose process is gone, as after `kill -9`, is taken over.
 */
export class FolderLock {
  private constructor(
    private readonly file: string,
    private readonly content: string,
  ) {}

  static acquire(folder: string): FolderLock {
    const file = `${folder}.lock`;
    const content = JSON.stringify({ ...identityOf(process.pid), nonce: randomUUID() });
    for (;;) {
      if (created(file, content)) return new FolderLock(file, content);
      const held = textOf(file);
      if (held === null) continue;
      const holder = holderIn(held);
      if (holder !== null && isAlive(holder)) throw new FolderInUse(folder, holder.pid);
      clear(file, held);
    }
  }

  release(): void {
    if (textOf(this.file) === this.content) rmSync(this.file, { force: true });
  }
}

/** Appears whole or not at all: a reader never sees half a lock. */
function created(file: string, content: string): boolean {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}

/** Moves the stale lock away. Where another process was quicker, it is that one's lock that moved: it goes back. */
function clear(file: string, stale: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (textOf(aside) !== stale) linkSync(aside, file);
  rmSync(aside, { force: true });
}

function holderIn(content: string): ProcessIdentity | null {
  try {
    const { pid, startedAt } = JSON.parse(content) as Partial<ProcessIdentity>;
    return typeof pid === 'number' && pid > 0 ? { pid, startedAt: startedAt ?? null } : null;
  } catch {
    return null;
  }
}
