import { readFileSync } from 'node:fs';

/** A process, told apart from a later one that got the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Ticks between boot and start. `null` where the system has no /proc. */
  readonly startedAt: string | null;
}

export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: startOf(pid) };
}

/** Whether that very process still runs. Without /proc the pid alone has to do. */
export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It exists, and belongs to someone else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startOf(pid);
  return startedAt === null || now === null || startedAt === now;
}

function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets, and may itself hold blanks and brackets.
    const afterCommand = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return afterCommand[19] ?? null;
  } catch {
    return null;
  }
}
