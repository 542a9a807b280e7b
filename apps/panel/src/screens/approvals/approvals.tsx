/** Calls that wait for approval, and those that were decided. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PendingApproval } from '#client/index.js';
import { HISTORY_STATUSES } from '#contracts/approvals/approvals.js';
import { useLiveReload } from '../../data/live.js';
import { href, useAddress } from '../../data/page.js';
import { useList, useResource } from '../../data/requests.js';
import { client, noteFailure, useMay } from '../../data/session.js';
import {
  approvalsMode,
  areNotificationsOn,
  HAS_NOTIFICATIONS,
  isOfApprovals,
  switchNotifications,
} from '../../data/waiting.js';
import { plural } from '../../text/format.js';
import { UNKNOWN_CALLER } from '../../text/names.js';
import { Button, Form, Select, Tabs, typed, useFilters } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText, Said } from '../../ui/plain-text.js';
import { Empty, errorText, ListEnd, Loaded, Screen } from '../../ui/screen.js';
import { Ago, Countdown, Status, Time } from '../../ui/values.js';
import { keepReason, ReasonField } from './reasons.js';
import { callText, isFinal, refusalOf, sentenceOf, STATUSES } from './sentences.js';

const HISTORY = href('/approvals', { tab: 'history' });

export default function Approvals() {
  const { query } = useAddress();
  const isHistory = query['tab'] === 'history';
  return (
    <Screen
      title="Approvals"
      lead="Calls of tools that run only after an operator approved them."
      actions={HAS_NOTIFICATIONS && <Notifications />}
    >
      <Tabs
        label="Approvals"
        tabs={[
          [href('/approvals'), 'Pending', !isHistory],
          [HISTORY, 'History', isHistory],
        ]}
      />
      {isHistory ? <History /> : <Queue />}
    </Screen>
  );
}

/** The browser is asked for its permission only when this is pressed. */
function Notifications() {
  const [isOn, setOn] = useState(areNotificationsOn);
  const isDenied = Notification.permission === 'denied';
  return (
    <Button
      aria-pressed={isOn}
      disabled={isDenied}
      onClick={() => void switchNotifications(!isOn).then(setOn)}
    >
      {isDenied ? 'Notifications blocked in the browser' : 'Notify me in this browser'}
    </Button>
  );
}

/** All pending calls; the one that expires first comes first. */
async function loadQueue(signal: AbortSignal): Promise<readonly PendingApproval[]> {
  const all: PendingApproval[] = [];
  for await (const { pending } of client.pages('approvals.index', { query: { limit: 200 }, signal }))
    all.push(...pending);
  return all.toSorted((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at));
}

/** Calls are approved one at a time, on their page. */
function Queue() {
  const queue = useResource('queue', loadQueue);
  const may = useMay('approvals.reject');
  const [selected, select] = useState<ReadonlySet<number>>(new Set());
  const [rejecting, setRejecting] = useState<readonly PendingApproval[] | null>(null);
  useLiveReload(queue.reload, isOfApprovals);
  const chosen = queue.data?.filter(({ approval_id: id }) => selected.has(id)) ?? [];
  const toggle = (id: number): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    select(next);
  };
  const close = (): void => {
    setRejecting(null);
    select(new Set());
    queue.reload();
  };
  return (
    <>
      <Loaded resource={queue} lines={10}>
        {(waiting) =>
          waiting.length === 0 ? (
            <NothingWaits />
          ) : (
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
          )
        }
      </Loaded>
      {chosen.length > 0 && (
        <div class="decision-bar">
          {may.reason !== null && <p class="small">{may.reason}</p>}
          <Button onClick={() => select(new Set())}>Select none</Button>
          <Button class="danger" may={may} onClick={() => setRejecting(chosen)}>
            Reject {plural(chosen.length, 'call')}…
          </Button>
        </div>
      )}
      {rejecting !== null && <RejectSelected calls={rejecting} onClose={close} />}
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
      <a href={HISTORY}>Earlier decisions</a>
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
  const { approval_id: id, policy, risk, warnings, overwritten } = call;
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
          <PlainText text={callText(call)} />
        </a>
        <p class="small muted">
          Approval {id}, requested by <PlainText text={call.principal_id ?? UNKNOWN_CALLER} />{' '}
          <Ago at={call.created_at} />
        </p>
        {(risk.length > 0 || warnings.length > 0 || overwritten.length > 0 || refusal !== undefined) && (
          <p class="row">
            {risk.length > 0 && <span class="tag blocked">{plural(risk.length, 'risk')}</span>}
            {warnings.length > 0 && <span class="tag blocked">{plural(warnings.length, 'warning')}</span>}
            {overwritten.length > 0 && <span class="tag observed">arguments replaced</span>}
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

interface Outcome {
  readonly text: string;
  /** Another press cannot change it. */
  readonly isFinal: boolean;
}

/** Rejects several calls with one reason, one after the other, and names those that failed. */
function RejectSelected({
  calls,
  onClose,
}: {
  readonly calls: readonly PendingApproval[];
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const [outcomes, setOutcomes] = useState<Readonly<Record<number, Outcome>>>({});
  const [isSending, setSending] = useState(false);
  const isClosed = useRef(false);
  useEffect(() => () => void (isClosed.current = true), []);
  const left = calls.filter(({ approval_id: id }) => outcomes[id]?.isFinal !== true);
  const reject = async (): Promise<void> => {
    setSending(true);
    for (const { approval_id: id, token } of left) {
      if (isClosed.current) return;
      if (token === null) continue;
      const outcome = await client
        .call('approvals.reject', { params: { token }, body: { approval_id: id, reason: reason.trim() } })
        .then(
          (): Outcome => ({ text: 'rejected', isFinal: true }),
          (error: Error): Outcome => {
            noteFailure(error);
            return { text: sentenceOf(error)?.what ?? errorText(error).message, isFinal: isFinal(error) };
          },
        );
      setOutcomes((before) => ({ ...before, [id]: outcome }));
    }
    keepReason(reason.trim());
    setSending(false);
  };
  return (
    <Dialog title={`Reject ${plural(calls.length, 'call')}?`} isBusy={isSending} onClose={onClose}>
      <Form class="stack" onSend={reject}>
        <ul class="stack-s">
          {calls.map((call) => (
            <li key={call.approval_id}>
              <PlainText text={callText(call)} />
              <strong>
                {' '}
                <PlainText text={outcomes[call.approval_id]?.text ?? ''} />
              </strong>
            </li>
          ))}
        </ul>
        {left.length > 0 && <ReasonField value={reason} isRequired onChange={setReason} />}
        <div class="row">
          <Button disabled={isSending} onClick={onClose}>
            {left.length === 0 ? 'Close' : 'Cancel'}
          </Button>
          {left.length > 0 && (
            <button type="submit" class="danger" disabled={isSending}>
              Reject {plural(left.length, 'call')}
            </button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}

const PAGE_SIZE = 50;

/** Filters by what was typed. */
const TYPED = { tool: 'Tool', principal_id: 'Requester', actor: 'Decided by' } as const;

function History() {
  const { change } = useAddress();
  const filters = useFilters(['status', 'tool', 'principal_id', 'actor']);
  const isFiltered = Object.keys(filters).length > 0;
  const pages = useList(
    'approvals.history',
    { query: { ...filters, limit: PAGE_SIZE } },
    ({ entries }) => entries,
  );
  return (
    <>
      <div class="filters">
        <label class="field">
          Status
          <Select
            value={filters.status ?? ''}
            choices={[
              ['', 'all'],
              ...HISTORY_STATUSES.map((status) => [status, STATUSES[status][1]] as const),
            ]}
            onChoose={(status) => change({ status })}
          />
        </label>
        {(Object.keys(TYPED) as (keyof typeof TYPED)[]).map((name) => (
          <label key={name} class="field">
            {TYPED[name]}
            <input value={filters[name] ?? ''} onChange={typed((text) => change({ [name]: text.trim() }))} />
          </label>
        ))}
      </div>
      {pages.items.length > 0 && (
        <ul class="queue">
          {pages.items.map((call) => (
            <li key={call.approval_id} class="queue-item">
              <div>
                <a class="call-line" href={href(`/approvals/${call.approval_id}`)} data-row>
                  <PlainText text={call.tool} />
                </a>
                <p class="small muted">
                  Approval {call.approval_id}, requested by{' '}
                  <PlainText text={call.principal_id ?? UNKNOWN_CALLER} />
                  {call.decided_by !== null && (
                    <>
                      , {call.decision} by <PlainText text={call.decided_by} />
                    </>
                  )}
                  <Said text={call.reason} />
                </p>
              </div>
              <p class="queue-end small">
                <Status tone={STATUSES[call.status][0]}>{STATUSES[call.status][1]}</Status>
                <span class="muted">
                  <Time at={call.decided_at ?? call.created_at} />
                </span>
              </p>
            </li>
          ))}
        </ul>
      )}
      <ListEnd pages={pages} lines={10} older="Show older">
        <Empty title={isFiltered ? 'No call matches these filters.' : 'No call has waited yet.'}>
          {isFiltered && <a href={HISTORY}>Remove all filters</a>}
        </Empty>
      </ListEnd>
    </>
  );
}
