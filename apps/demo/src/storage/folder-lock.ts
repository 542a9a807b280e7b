import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parsedJson } from '#contracts/common/text.js';

/** Another process uses the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';

  constructor(folder: string, pid: number) {
    super(
      `${folder} is in use by process ${pid}. Stop that process first, or set DATA_DIR to another folder.`,
    );
  }
}

/**
 * A lock file beside a folder with the id of the process that uses the folder. The embedded database has no lock, and
 * two processes would corrupt it. The lock of a process that no longer runs, as after `kill -9`, is replaced.
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
      if (createLock(file, content)) return new FolderLock(file, content);
      const lock = readIfExists(file);
      if (lock === null) continue;
      const holder = parseHolder(lock);
      if (holder !== null && isAlive(holder)) throw new FolderInUse(folder, holder.pid);
      removeStale(file, lock);
    }
  }

  release(): void {
    if (readIfExists(this.file) === this.content) rmSync(this.file, { force: true });
  }
}

/** Creates the lock with its whole content in one step, so that readers never get a partial file. */
function createLock(file: string, content: string): boolean {
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

/** Moves the stale lock aside. If another process has replaced it in the meantime, its lock is moved back. */
function removeStale(file: string, stale: string) {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readIfExists(aside) !== stale) linkSync(aside, file);
  rmSync(aside, { force: true });
}

function parseHolder(content: string): ProcessIdentity | null {
  const { pid, startedAt = null } = (parsedJson(content) ?? {}) as Partial<ProcessIdentity>;
  return typeof pid === 'number' && pid > 0 ? { pid, startedAt } : null;
}

/** Identifies a process, also against a later process with the same pid. */
interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks between boot and start of the process; `null` on systems without /proc. */
  readonly startedAt: string | null;
}

export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: startOf(pid) };
}

/** Whether the process still runs. Without /proc only the pid is compared. */
function isAlive({ pid, startedAt }: ProcessIdentity) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startOf(pid);
  return startedAt === null || now === null || startedAt === now;
}

function startOf(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses, which may contain spaces and parentheses.
    const afterCommand = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return afterCommand[19] ?? null;
  } catch {
    return null;
  }
}

/** Returns `null` if the file does not exist. */
export function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
