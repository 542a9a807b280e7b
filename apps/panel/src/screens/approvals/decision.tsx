import { useComputed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { serverNow } from '../../data/clock.js';
import { useMay } from '../../data/me.js';
import type { OpenApproval } from '../../data/open-approval.js';
import { useKeys } from '../../layout/shortcuts.js';
import type { Answer } from './answer.js';
import { Confirmation } from './confirmation.js';
import { refusalOf } from './sentences.js';

/** Rejecting stays possible where only approving is refused. */
const REJECTABLE: readonly (string | null)[] = [
  null,
  'self_approval',
  'already_voted',
  'hitl_unavailable',
  'superseded',
];

/** The buttons that open the confirmation of a decision. Opening decides nothing. */
export function DecisionBar({
  approval,
  token,
  reload,
  onAnswer,
}: OpenApproval & { readonly reload: () => void; readonly onAnswer: (answer: Answer) => void }) {
  const [verdict, setVerdict] = useState<'approved' | 'rejected' | null>(null);
  const approve = useMay('approvals.approve');
  const reject = useMay('approvals.reject');
  const isOver = useComputed(() => serverNow.value >= Date.parse(approval.expires_at)).value;
  const isPending = approval.status === 'pending';
  const code = isOver ? 'expired' : approval.cannot_decide_reason;
  const refusal = refusalOf(code);
  const cannotApprove =
    approve.reason ??
    (approval.can_decide && !isOver ? null : (refusal?.what ?? 'You cannot approve this call.'));
  const cannotReject = reject.reason ?? (REJECTABLE.includes(code) ? null : (refusal?.what ?? null));
  const cannot = cannotApprove ?? cannotReject;
  useEffect(() => {
    if (isOver) reload();
  }, [isOver]);
  useKeys({
    a: () => isPending && cannotApprove === null && setVerdict('approved'),
    r: () => isPending && cannotReject === null && setVerdict('rejected'),
  });
  return (
    <>
      {isPending && (
        <div class="decision-bar">
          {cannot !== null && (
            <p id="cannot-decide" class="small">
              {cannot} {cannot === refusal?.what && refusal.next}
            </p>
          )}
          <button
            type="button"
            class="danger"
            disabled={cannotReject !== null}
            aria-describedby={cannotReject === null ? undefined : 'cannot-decide'}
            onClick={() => setVerdict('rejected')}
          >
            Reject…
          </button>
          <button
            type="button"
            class="primary"
            disabled={cannotApprove !== null}
            aria-describedby={cannotApprove === null ? undefined : 'cannot-decide'}
            onClick={() => setVerdict('approved')}
          >
            Approve…
          </button>
        </div>
      )}
      {verdict !== null && (
        <Confirmation
          verdict={verdict}
          approval={approval}
          token={token}
          reload={reload}
          onAnswer={(answer) => {
            setVerdict(null);
            onAnswer(answer);
          }}
          onClose={() => setVerdict(null)}
        />
      )}
    </>
  );
}
