/** Calls that wait for approval, and those that were decided. */
import { useState } from 'preact/hooks';
import type { PendingApproval } from '#client/index.js';
import { HISTORY_STATUSES } from '#contracts/approvals/approvals.js';
import { useLiveReload } from '../../data/live.js';
import { href, useAddress } from '../../data/page.js';
import { isBeingRejected } from '../../data/rejections.js';
import { useAnswer, useList } from '../../data/requests.js';
import { useMay } from '../../data/session.js';
import {
  approvalsMode,
  areNotificationsOn,
  HAS_NOTIFICATIONS,
  isOfApprovals,
  switchNotifications,
} from '../../data/waiting.js';
import { Key } from '../../layout/shortcuts.js';
import { plural } from '../../text/format.js';
import { UNKNOWN_CALLER } from '../../text/names.js';
import { amountOf, ArgumentPreview } from '../../ui/arguments.js';
import { Button, Form, FormEnd, Select, Tabs, typed, useFilters } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText, Said } from '../../ui/plain-text.js';
import { Empty, ListEnd, Loaded, Screen } from '../../ui/screen.js';
import { Ago, Countdown, Status, Time } from '../../ui/values.js';
import { CallLine } from './call.js';
import { ReasonField } from './reasons.js';
import { reject } from './rejections.js';
import { MORE_WAIT, MOST_CALLS, refusalOf, riskMark, STATUSES } from './sentences.js';

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

/** The gravest risks come first. Calls are approved one at a time, on their page. */
function Queue() {
  const queue = useAnswer('approvals.index', { query: { sort: 'risk', limit: MOST_CALLS } });
  const may = useMay('approvals.reject');
  const [selected, select] = useState<ReadonlySet<number>>(new Set());
  const [rejecting, setRejecting] = useState<readonly PendingApproval[] | null>(null);
  useLiveReload(queue.reload, isOfApprovals);
  const chosen =
    queue.data?.pending.filter(({ approval_id: id }) => selected.has(id) && !isBeingRejected(id)) ?? [];
  const toggle = (id: number) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    select(next);
  };
  const close = () => {
    setRejecting(null);
    select(new Set());
  };
  return (
    <>
      <Loaded resource={queue} lines={10}>
        {({ pending: waiting }) =>
          waiting.length === 0 ? (
            <NothingWaits />
          ) : (
            <>
              <p class="small muted key-hints">
                <Key name="j" /> <Key name="k" /> next and previous call, <Key name="Enter" /> opens it
              </p>
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
              {waiting.length === MOST_CALLS && <p class="muted">{MORE_WAIT}</p>}
            </>
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
      {rejecting !== null && <RejectSelected calls={rejecting} reload={queue.reload} onClose={close} />}
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
  const isHeld = isBeingRejected(id);
  const amount = amountOf(call.arguments);
  const refusal = call.can_decide ? undefined : refusalOf(call.cannot_decide_reason);
  return (
    <li class="queue-item">
      {call.token !== null && !isHeld && (
        <label class="check">
          <input
            type="checkbox"
            aria-label={`Select approval ${id} for rejection`}
            checked={isSelected}
            onChange={onToggle}
          />
        </label>
      )}
      <div>
        <a class="call-line" href={href(`/approvals/${id}`)} data-row>
          <CallLine call={call}>
            <ArgumentPreview value={call.arguments} />
          </CallLine>
        </a>
        <p class="small muted">
          Approval {id}, requested by <PlainText text={call.principal_id ?? UNKNOWN_CALLER} />{' '}
          <Ago at={call.created_at} />
        </p>
        <p class="row">
          {isHeld && <span class="tag observed">being rejected</span>}
          {[...new Set(risk.map(({ name }) => riskMark(name)))].map((mark) => (
            <span key={mark} class="tag blocked">
              {mark}
            </span>
          ))}
          {warnings.length > 0 && <span class="tag blocked">{plural(warnings.length, 'warning')}</span>}
          {overwritten.length > 0 && <span class="tag observed">arguments replaced</span>}
          {refusal !== undefined && <span class="tag">{refusal.what}</span>}
        </p>
      </div>
      <p class="queue-end small">
        {amount !== null && (
          <strong>
            <PlainText text={amount} />
          </strong>
        )}
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

/** Rejects several calls with one reason. */
function RejectSelected({
  calls,
  reload,
  onClose,
}: {
  readonly calls: readonly PendingApproval[];
  readonly reload: () => void;
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const send = () => {
    reject(
      calls.flatMap(({ token, ...call }) => (token === null ? [] : [{ ...call, token }])),
      reason.trim(),
      reload,
    );
    onClose();
  };
  return (
    <Dialog title={`Reject ${plural(calls.length, 'call')}?`} onClose={onClose}>
      <Form class="stack" onSend={send}>
        <ul class="stack-s">
          {calls.map((call) => (
            <li key={call.approval_id}>
              <CallLine call={call}>
                <ArgumentPreview value={call.arguments} />
              </CallLine>
            </li>
          ))}
        </ul>
        <ReasonField of="rejected" value={reason} isRequired onChange={setReason} />
        <FormEnd
          action={['', `Reject ${plural(calls.length, 'call')}`]}
          tone="danger"
          isSending={false}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

const PAGE_SIZE = 50;

/** Filters by what was typed. */
const TYPED = [
  ['tool', 'Tool'],
  ['principal_id', 'Requester'],
  ['actor', 'Decided by'],
] as const;

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
        {TYPED.map(([name, label]) => (
          <label key={name} class="field">
            {label}
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
                  <CallLine call={call} />
                </a>
                <p class="small muted">
                  Approval {call.approval_id}, requested by{' '}
                  <PlainText text={call.principal_id ?? UNKNOWN_CALLER} />
                  {call.decisions.map(({ decision, decided_by: by, decided_at: at, counts }) => (
                    <>
                      , {decision} by <PlainText text={by} /> <Time at={at} />
                      {!counts && ' (does not count)'}
                    </>
                  ))}
                  <Said text={call.reason} />
                </p>
              </div>
              <p class="queue-end small">
                <Status tone={STATUSES[call.status][0]}>{STATUSES[call.status][1]}</Status>
                <span class="muted">
                  requested <Time at={call.created_at} />
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
