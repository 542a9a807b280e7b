import type { Approval } from '../../../contracts/src/approvals.js';
import type { Tool } from '../../../contracts/src/firewall.js';
import type { Redactor } from '../../../contracts/src/output.js';
import { scrubText } from '../../../contracts/src/text.js';
import type { End } from './approval-steps.js';
import { storableResult } from './tool-result.js';

/** Timers of Node know no longer times. */
const LONGEST_MS = 2 ** 31 - 1;

const LONGEST_MESSAGE = 500;
/** A message longer than this is not looked through for secrets, and therefore not kept. */
const LONGEST_READ = 65_536;

/** Runs the tool once, within its time. `lost`: somebody else took over, and the end of this run is of no interest. */
export async function runTool(
  tool: Tool,
  approval: Approval,
  timeoutMs: number,
  lost: Promise<'lost'>,
  redactor: Redactor,
): Promise<End | 'lost'> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), Math.min(timeoutMs, LONGEST_MS));
  });
  const ran = invoke(tool, approval, abort).then(
    (result) => executed(result, redactor),
    (error: unknown) => failed(error, redactor),
  );
  try {
    const end = await Promise.race([ran, late, lost]);
    if (typeof end !== 'string') return end;
    abort.abort();
    return end === 'lost' ? end : TIMED_OUT;
  } finally {
    clearTimeout(timer);
  }
}

async function invoke(tool: Tool, approval: Approval, { signal }: AbortController): Promise<unknown> {
  const run = { approvalId: approval.id, idempotencyKey: approval.reference, signal };
  return tool.execute(approval.arguments ?? {}, run);
}

function executed(result: unknown, redactor: Redactor): End {
  const stored = storableResult(result, (text) => redactor.redactSecrets(text));
  return { status: 'executed', result: { result: stored, error: null } };
}

function failed(error: unknown, redactor: Redactor): End {
  const message = messageOf(error);
  const told = scrubText(redactor.redactSecrets(message).slice(0, LONGEST_MESSAGE));
  return { status: 'failed', result: { result: null, error: { code: 'tool_failed', message: told } } };
}

/** Whatever a tool may throw, a proxy or an error whose message throws itself included. */
function messageOf(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : undefined;
    if (typeof message === 'string' && message.length <= LONGEST_READ) return message;
  } catch {
    // It will not say.
  }
  return 'The tool failed.';
}

/** Whether it took effect nobody here can say; the operator is told so. */
const TIMED_OUT: End = {
  status: 'outcome_unknown',
  result: {
    result: null,
    error: {
      code: 'timed_out',
      message: 'The tool did not answer in time; whether it took effect is not known.',
    },
  },
};
