import type { End } from './approval-steps.js';

/** Ends that no tool speaks of, in words for the operator. */
export const RUN_ENDS = {
  timedOut: unknown('timed_out', 'The tool did not answer in time; whether it took effect is not known.'),
  interrupted: unknown(
    'interrupted',
    'The instance that ran the tool is gone; whether it took effect is not known.',
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
} as const satisfies Readonly<Record<string, End>>;

function unknown(code: string, message: string): End {
  return { status: 'outcome_unknown', result: { result: null, error: { code, message } } };
}
