import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import {
  MAX_HASHES,
  type Run,
  type RunLabel,
  type RunName,
  type RunStore,
} from '#contracts/runs/run.store.js';
import type { ApprovalOutcome } from '#contracts/approvals/approvals.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { asksAboutRun } from '#contracts/policies/policies.js';
import type { RunContext, ScreeningContext } from '#contracts/screening/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import type { Diagnostics } from '../shared/ports.js';
import { scrubText } from '#contracts/common/text.js';
import { isCovered, markOfNumber, MAX_TEXT, marksOf } from './marks.js';
import { ownWords } from './own-words.js';

const HASH_LENGTH = 16;
/** The store notes that the run is full. */
const TOO_MANY = '0'.repeat((MAX_HASHES + 1) * HASH_LENGTH);

/** What a policy can ask about the run of a call. */
export interface RunFacts extends Pick<Run, 'label' | 'untrustedBy' | 'suspectBy' | 'isFull'> {
  /** Whether somebody vouched for an argument who is allowed to. `null`: the value has no form that could be compared. */
  isVouched(value: unknown): boolean | null;
}

const NOTHING_READ = { label: 'clean', untrustedBy: null, suspectBy: null, isFull: false } as const;

/** A text that the model is about to read. */
interface RunText {
  readonly text: string | null;
  readonly context: ScreeningContext;
  readonly isBlocked: boolean;
  readonly isSuspect: boolean;
  readonly entryId: number | null;
}

/** Remembers what each run has read, and what in it vouches for arguments. Only where a policy asks. */
export class RunMemory {
  /** @param secret of the key of each run; `null`: nothing vouches */
  constructor(
    private readonly store: RunStore,
    private readonly secret: string | null,
    private readonly hours: number,
    private readonly diagnostics: Diagnostics,
  ) {}

  /** Call it before the model reads the text. What a user typed vouches; a text of others raises the label of the run. */
  async read({ text, context, isBlocked, isSuspect, entryId }: RunText, settings: Settings): Promise<void> {
    if (context.origin === undefined || context.origin === 'prompt') {
      const own = context.userText ?? text;
      if (own !== null && !isBlocked) await this.trust([ownWords(own)], context, settings);
    } else
      await this.unlessObserving(context, settings, (run) =>
        this.open(run, context, isSuspect ? 'suspect' : 'untrusted', entryId),
      );
  }

  /** Whether a policy asks what a run has read. */
  isAsked(settings: Settings): boolean {
    return !settings.mode('hitl').isOff() && Object.values(settings.get('hitl.policies')).some(asksAboutRun);
  }

  /** Call it before code reads a text of others that is not screened: a result, an error, the outcome of a call that waited. */
  readUnscreened(context: RunContext, settings: Settings): Promise<void> {
    const facts = { text: null, isBlocked: false, isSuspect: false, entryId: null };
    return this.read({ context: { ...context, origin: 'tool_result' }, ...facts }, settings);
  }

  /** Before code reads what a call that waited returned. */
  async readOutcome(outcome: ApprovalOutcome, settings: Settings): Promise<ApprovalOutcome> {
    const { principalId, application, runId, status } = outcome;
    if (runId !== null && (status === 'executed' || status === 'failed'))
      await this.readUnscreened(
        { runId, ...(principalId !== null && { principalId }), ...(application !== null && { application }) },
        settings,
      );
    return outcome;
  }

  /** These texts vouch. */
  async trust(texts: readonly string[], context: RunContext, settings: Settings): Promise<void> {
    const { secret } = this;
    const isEmpty = texts.join('') === '';
    // A run that was handed over is opened in any case, so that it hands over what it inherited.
    if ((isEmpty || secret === null) && context.parentRunId === undefined) return;
    await this.unlessObserving(context, settings, async (run) => {
      const salt = await this.open(run, context, 'clean', null);
      if (isEmpty || secret === null) return;
      const isLong = texts.join('').length > MAX_TEXT;
      const marks = new Set(isLong ? [] : texts.flatMap((text) => [...marksOf(text)]));
      if (isLong || marks.size > MAX_HASHES) return this.store.vouch(run, salt, TOO_MANY);
      // Each step of an agent screens the same message again.
      const known = hashesOf(await this.store.find(run));
      const hashes = Array.from(marks, hasher(secret, salt)).filter((hash) => !known.has(hash));
      if (hashes.length > 0) await this.store.vouch(run, salt, hashes.join(''));
    });
  }

  /** `null`: the call belongs to no run, so that nothing can be compared. */
  async factsOf(context: RunContext): Promise<RunFacts | null> {
    const name = runOf(context);
    if (name === null) return null;
    // A run that has read nothing yet has what its parent has read.
    const run =
      (await this.store.find(name)) ??
      (context.parentRunId === undefined
        ? null
        : await this.store.find({ ...name, runId: scrubText(context.parentRunId) }));
    if (run === null || this.secret === null)
      return { ...(run ?? NOTHING_READ), isVouched: (value) => vouches(value, () => false) };
    const hash = hasher(this.secret, run.salt);
    const known = hashesOf(run);
    return { ...run, isVouched: (value) => vouches(value, (mark) => known.has(hash(mark))) };
  }

  end(context: RunContext): Promise<void> {
    const run = runOf(context);
    return run === null ? Promise.resolve() : this.store.end(run);
  }

  private open(run: RunName, { parentRunId }: RunContext, label: RunLabel, entryId: number | null) {
    const parent = parentRunId === undefined ? null : scrubText(parentRunId);
    const salt = randomBytes(16).toString('hex');
    return this.store.read(run, { parentRunId: parent, label, entryId, salt, hours: this.hours });
  }

  /** A store that fails stops the model from reading the text, unless Approvals are in monitor mode. */
  private async unlessObserving(
    context: RunContext,
    settings: Settings,
    work: (run: RunName) => Promise<unknown>,
  ) {
    const run = runOf(context);
    if (run === null || !this.isAsked(settings)) return;
    try {
      await work(run);
    } catch (error) {
      if (settings.mode('hitl').enforces()) throw GuardrailsError.ofStore(error);
      this.diagnostics.warn(
        'What a run has read could not be recorded. Approvals are in monitor mode, so the run continues.',
      );
    }
  }
}

const hashesOf = (run: Run | null): ReadonlySet<string> =>
  new Set(run?.hashes.match(new RegExp(`.{${HASH_LENGTH}}`, 'g')));

function hasher(secret: string, salt: string): (mark: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'nest-guardrails/run/v1', 32));
  return (mark) => createHmac('sha256', key).update(mark).digest('hex').slice(0, HASH_LENGTH);
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
