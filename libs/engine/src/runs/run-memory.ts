import { createHmac, hkdfSync } from 'node:crypto';
import type { Run, RunLabel, RunName, RunStore } from '#contracts/runs/run.store.js';
import type { DecisionContext } from '#contracts/screening/screening.js';
import { scrubText } from '#contracts/common/text.js';
import { isCovered, markOfNumber, marksOf } from './marks.js';
import { ownWords } from './own-words.js';

const HASH_LENGTH = 16;

/** What a policy can ask about the run of a call. */
export interface RunFacts extends Pick<Run, 'label' | 'untrustedBy' | 'suspectBy' | 'isFull'> {
  /** Whether somebody who may vouches for an argument. `null`: the value has no form that could be compared. */
  isVouched(value: unknown): boolean | null;
}

/** The context of a text or call, with the run that handed over to this one. */
export interface RunContext extends DecisionContext {
  readonly parentRunId?: string;
}

const NOTHING_READ = { label: 'clean', untrustedBy: null, suspectBy: null, isFull: false } as const;

/** Remembers what each run has read, and what in it vouches for arguments. */
export class RunMemory {
  /** @param secret of the key of each run; `null`: nothing vouches */
  constructor(
    private readonly store: RunStore,
    private readonly secret: string | null,
    private readonly hours: number,
  ) {}

  /** Raises the label of the run before the model reads the text. */
  async read(context: RunContext, label: RunLabel, entryId: number | null): Promise<string | null> {
    const run = runOf(context);
    if (run === null) return null;
    const parentRunId = context.parentRunId === undefined ? null : scrubText(context.parentRunId);
    return this.store.read(run, { parentRunId, label, entryId, hours: this.hours });
  }

  /** The user typed this, or the host trusts it. */
  async vouch(context: RunContext, texts: readonly string[]): Promise<void> {
    const run = runOf(context);
    if (run === null || this.secret === null) return;
    const salt = await this.read(context, 'clean', null);
    const hash = this.hasher(salt ?? '');
    const hashes = new Set(texts.flatMap((text) => Array.from(marksOf(text), hash)));
    if (hashes.size > 0) await this.store.vouch(run, salt ?? '', [...hashes].join(''));
  }

  /** The words of a message that its author vouches for. */
  async vouchMessage(context: RunContext, message: string): Promise<void> {
    await this.vouch(context, [ownWords(message)]);
  }

  /** `null`: the call belongs to no run, so that nothing can be compared. */
  async factsOf(context: RunContext): Promise<RunFacts | null> {
    const name = runOf(context);
    if (name === null) return null;
    const run = await this.store.find(name);
    if (run === null || this.secret === null)
      return { ...(run ?? NOTHING_READ), isVouched: (value) => vouches(value, () => false) };
    const hash = this.hasher(run.salt);
    const known = new Set(run.hashes.match(new RegExp(`.{${HASH_LENGTH}}`, 'g')));
    return { ...run, isVouched: (value) => vouches(value, (mark) => known.has(hash(mark))) };
  }

  end(context: RunContext): Promise<void> {
    const run = runOf(context);
    return run === null ? Promise.resolve() : this.store.end(run);
  }

  private hasher(salt: string): (mark: string) => string {
    const key = Buffer.from(hkdfSync('sha256', this.secret ?? '', salt, 'nest-guardrails/run/v1', 32));
    return (mark) => createHmac('sha256', key).update(mark).digest('hex').slice(0, HASH_LENGTH);
  }
}

function vouches(value: unknown, has: (mark: string) => boolean): boolean | null {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return isCovered(value, has);
  if (typeof value === 'number') return has(markOfNumber(value));
  if (typeof value === 'boolean') return isCovered(String(value), has);
  if (!Array.isArray(value)) return null;
  const items = value.map((item) => vouches(item, has));
  return items.includes(null) ? null : items.every(Boolean);
}

function runOf({ application, principalId, runId }: RunContext): RunName | null {
  if (runId === undefined) return null;
  return {
    application: application === undefined ? null : scrubText(application),
    principalId: principalId === undefined ? null : scrubText(principalId),
    runId: scrubText(runId),
  };
}
