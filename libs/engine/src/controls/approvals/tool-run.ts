// One run of an approved call: its time limit, and what is stored of its result. `approval-runner.ts` calls it under a lease.
import type { Approval } from '#contracts/approvals/approvals.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import type { Redactor } from '../../shared/ports.js';
import { scrubText } from '#contracts/common/text.js';
import { redactedJson } from '../../json/redacted-json.js';
import type { RunOutcome } from './approval-transitions.js';

/** Maximum delay of Node timers. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const MAX_MESSAGE_LENGTH = 500;
/** Longer messages are not searched for secrets, and therefore not stored. */
const MAX_SEARCHED_MESSAGE = 65_536;

interface RunLimits {
  readonly timeoutMs: number;
  /** Resolves when another instance takes over. */
  readonly takenOver: Promise<'taken_over'>;
  /** Aborted when this instance stops; the tool then has `graceMs` to end. */
  readonly stopping: AbortSignal;
  readonly graceMs: number;
}

/**
 * Runs the tool once, within its time limit. `taken_over`: another instance runs the call.
 * `stopped`: this instance stops, and the tool did not end.
 */
export async function runTool(
  tool: Tool,
  approval: Approval,
  { timeoutMs, takenOver, stopping, graceMs }: RunLimits,
  redactor: Redactor,
): Promise<RunOutcome | 'taken_over' | 'stopped'> {
  const abort = new AbortController();
  let end!: (how: 'timed_out' | 'stopped') => void;
  const ended = new Promise<'timed_out' | 'stopped'>((resolve) => (end = resolve));
  const timers = [setTimeout(() => end('timed_out'), Math.min(timeoutMs, MAX_TIMER_MS))];
  const beginStop = () => {
    timers.push(setTimeout(() => end('stopped'), graceMs));
    abort.abort();
  };
  stopping.addEventListener('abort', beginStop, { once: true });
  const ran = invoke(tool, approval, abort).then(
    (result) => executed(result, redactor),
    // An aborted tool may have had a part of its effect, so its failure is not recorded as `failed`.
    (error: unknown) => (stopping.aborted ? 'stopped' : failed(error, redactor)),
  );
  try {
    const how = await Promise.race([ran, ended, takenOver]);
    if (typeof how !== 'string') return how;
    abort.abort();
    return how === 'timed_out' ? RUN_ENDS.timedOut : how;
  } finally {
    stopping.removeEventListener('abort', beginStop);
    for (const timer of timers) clearTimeout(timer);
  }
}

async function invoke(tool: Tool, approval: Approval, { signal }: AbortController) {
  const run = { approvalId: approval.id, idempotencyKey: approval.reference, signal };
  return tool.execute(approval.arguments ?? {}, run);
}

function executed(result: unknown, redactor: Redactor): RunOutcome {
  const stored = toStorableResult(result, (text) => redactor.redactSecrets(text));
  return { status: 'executed', result: { result: stored, error: null } };
}

function failed(error: unknown, redactor: Redactor): RunOutcome {
  const message = messageOf(error);
  const stored = scrubText(redactor.redactSecrets(message).slice(0, MAX_MESSAGE_LENGTH));
  return { status: 'failed', result: { result: null, error: { code: 'tool_failed', message: stored } } };
}

/** Any thrown value, including proxies and errors whose message throws. */
function messageOf(error: unknown) {
  try {
    const message: unknown = error instanceof Error ? error.message : undefined;
    if (typeof message === 'string' && message.length <= MAX_SEARCHED_MESSAGE) return message;
  } catch {
    // An error may throw when its message is read.
  }
  return 'The tool failed.';
}

/** Outcomes that do not come from the tool. */
export const RUN_ENDS = {
  timedOut: unknown('timed_out', 'The tool did not answer in time; whether it took effect is not known.'),
  interrupted: unknown(
    'interrupted',
    'The instance that ran the tool did not renew its lease; whether it took effect is not known.',
  ),
  restored: unknown(
    'restored',
    'The database was restored or failed over, or the row was changed, after the call was requested; whether the tool ran is not known.',
  ),
  stopped: unknown(
    'interrupted',
    'The instance that ran the tool stopped before it answered; whether it took effect is not known.',
  ),
  notBegun: {
    status: 'failed',
    result: {
      result: null,
      error: {
        code: 'not_run',
        message: 'Its instance stopped, or the policy changed, just before the tool ran: it had no effect.',
      },
    },
  },
} as const satisfies Readonly<Record<string, RunOutcome>>;

function unknown(code: string, message: string): RunOutcome {
  return { status: 'outcome_unknown', result: { result: null, error: { code, message } } };
}

const MAX_RESULT_BYTES = 16 * 1024;

/** Longer JSON is not searched for secrets, and therefore not stored. */
const MAX_SEARCHED_JSON = 1024 * 1024;

/** The stored form of a tool's result: JSON, redacted, at most 16 KiB. */
function toStorableResult(value: unknown, redact: (text: string) => string) {
  const text = asJson(value);
  if (text === undefined) return null;
  if (text.length > MAX_SEARCHED_JSON) return { truncated: true, text: '' };
  const redacted = redactedJson(JSON.parse(text), redact);
  if (Buffer.byteLength(JSON.stringify(redacted)) <= MAX_RESULT_BYTES) return redacted;
  return { truncated: true, text: headOf(JSON.stringify(redacted)) };
}

function asJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_key, leaf: unknown) =>
      typeof leaf === 'bigint' ? leaf.toString() : leaf,
    );
  } catch {
    // The result has a cycle, or its toJSON throws. The call did run.
    return JSON.stringify('[result that is not JSON]');
  }
}

/** Escaped quotes and multi-byte characters grow when the head is encoded again; a quarter always fits. */
function headOf(text: string) {
  return scrubText(text.slice(0, MAX_RESULT_BYTES / 4));
}
