import { useEffect, useRef } from 'preact/hooks';
import type { ApprovalDecisionData } from '#client/index.js';
import { plural } from '../../text/format.js';
import type { Tone } from '../../ui/status.js';

/** What the server answered to a decision of this operator. */
export interface Answer {
  readonly data: ApprovalDecisionData;
  /** The answer to an earlier press was lost. */
  readonly isRepeated: boolean;
}

/** Takes the focus, because the button that had it is gone. */
export function AnswerNotice({ answer: { data, isRepeated } }: { readonly answer: Answer }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), [data]);
  return (
    <div ref={element} tabIndex={-1} role="status" class={`notice ${toneOf(data)}`}>
      <p>
        <strong>{sentenceFor(data)}</strong>
      </p>
      {isRepeated && (
        <p>The first answer was lost. This is the stored outcome: nothing was decided or run twice.</p>
      )}
    </div>
  );
}

function toneOf({ decision, status }: ApprovalDecisionData): Tone {
  if (decision === 'rejected' || status === 'outcome_unknown') return 'observed';
  return status === 'failed' ? 'blocked' : 'ok';
}

function sentenceFor({ decision, status, policy }: ApprovalDecisionData): string {
  if (decision === 'rejected') return 'You rejected this call. It will not run.';
  switch (status) {
    case 'pending':
      return `Your approval counts. ${plural(policy.needed - policy.given, 'more approval')} needed, from somebody else.`;
    case 'executed':
      return 'You approved this call, and it ran.';
    case 'failed':
      return 'You approved this call. It ran and failed.';
    case 'outcome_unknown':
      return 'You approved this call. Whether it ran is not known.';
    default:
      return 'You approved this call. Its outcome appears below.';
  }
}
