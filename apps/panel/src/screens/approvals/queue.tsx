import { useState } from 'preact/hooks';
import type { PendingApproval } from '#client/index.js';
import { useLiveReload } from '../../data/live.js';
import { href } from '../../data/page.js';
import { useMay } from '../../data/me.js';
import { useResource } from '../../data/resource.js';
import { approvalsMode, isOfApprovals } from '../../data/waiting.js';
import { plural } from '../../text/format.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Ago, Countdown } from '../../ui/time.js';
import { loadQueue } from './loading.js';
import { RejectSelected } from './reject-selected.js';
import { callText, refusalOf } from './sentences.js';

/** Pending calls; the one that expires first comes first. Calls are approved one at a time, on their page. */
export function Queue() {
  const queue = useResource('queue', loadQueue);
  const may = useMay('approvals.reject');
  const [selected, select] = useState<ReadonlySet<number>>(new Set());
  const [rejecting, setRejecting] = useState<readonly PendingApproval[] | null>(null);
  useLiveReload(queue.reload, isOfApprovals);
  const toggle = (id: number): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    select(next);
  };
  return (
    <>
      <Loaded resource={queue} lines={10}>
        {(waiting) => {
          const chosen = waiting.filter(({ approval_id: id }) => selected.has(id));
          return waiting.length === 0 ? (
            <NothingWaits />
          ) : (
            <>
              <ul class="queue">
                {waiting.map((call) => (
                  <QueueItem
                    key={call.approval_id}
                    call={call}
                    isSelected={selected.has(call.approval_id)}
                    onToggle={() => toggle(call.approval_id)}
                  />
                ))}
              </ul>
              {chosen.length > 0 && (
                <div class="decision-bar">
                  {may.reason !== null && <p class="small">{may.reason}</p>}
                  <button type="button" onClick={() => select(new Set())}>
                    Select none
                  </button>
                  <button
                    type="button"
                    class="danger"
                    disabled={!may.isAllowed}
                    onClick={() => setRejecting(chosen)}
                  >
                    Reject {plural(chosen.length, 'call')}…
                  </button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
      {rejecting !== null && (
        <RejectSelected
          calls={rejecting}
          onClose={() => {
            setRejecting(null);
            select(new Set());
            queue.reload();
          }}
        />
      )}
    </>
  );
}

function NothingWaits() {
  const isOff = approvalsMode.value === 'off';
  return (
    <Empty title={isOff ? 'Approvals are off.' : 'Nothing waits for a decision.'}>
      {isOff ? (
        <>
          <code>hitl.fallback</code> decides about calls that would wait.{' '}
          <a href={href('/settings')}>Turn approvals on in the settings</a>
        </>
      ) : (
        'New calls appear here by themselves.'
      )}{' '}
      <a href={href('/approvals', { tab: 'history' })}>Earlier decisions</a>
    </Empty>
  );
}

function QueueItem({
  call,
  isSelected,
  onToggle,
}: {
  readonly call: PendingApproval;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}) {
  const { approval_id: id, policy, warnings } = call;
  const refusal = call.can_decide ? undefined : refusalOf(call.cannot_decide_reason);
  return (
    <li class="queue-item">
      {call.token !== null && (
        <label class="check">
          <input type="checkbox" checked={isSelected} onChange={onToggle} />
          <span class="visually-hidden">Select approval {id} for rejection</span>
        </label>
      )}
      <div>
        <a class="call-line" href={href(`/approvals/${id}`)} data-row>
          <PlainText text={callText(call.tool, call.arguments)} />
        </a>
        <p class="small muted">
          Approval {id}, requested by{' '}
          {call.principal_id === null ? 'an unknown caller' : <PlainText text={call.principal_id} />}{' '}
          <Ago at={call.created_at} />
        </p>
        {(warnings.length > 0 || call.overwritten.length > 0 || refusal !== undefined) && (
          <p class="row">
            {warnings.length > 0 && <span class="tag blocked">{plural(warnings.length, 'warning')}</span>}
            {call.overwritten.length > 0 && <span class="tag observed">arguments replaced</span>}
            {refusal !== undefined && <span class="tag">{refusal.what}</span>}
          </p>
        )}
      </div>
      <p class="queue-end small">
        <Status tone="waiting">
          <Countdown at={call.expires_at} />
        </Status>
        <span class="muted">
          {policy.given} of {plural(policy.needed, 'approval')}
        </span>
      </p>
    </li>
  );
}
