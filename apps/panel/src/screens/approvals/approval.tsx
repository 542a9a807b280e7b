import { useRoute } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { useLiveReload } from '../../data/live.js';
import { type Approval, loadApproval } from '../../data/open-approval.js';
import { href } from '../../data/page.js';
import { useAnswer, useResource } from '../../data/requests.js';
import { isOfApprovals } from '../../data/waiting.js';
import { plural } from '../../text/format.js';
import { CONTROL_WORDS, UNKNOWN_CALLER } from '../../text/names.js';
import { ArgumentTable, EntryPreview } from '../../ui/arguments.js';
import { PlainText, Said } from '../../ui/plain-text.js';
import { rowAt } from '../../ui/rows.js';
import { Empty, Loaded, Screen } from '../../ui/screen.js';
import { Ago, Countdown, OutcomeStatus, Status, Time } from '../../ui/values.js';
import { CallLine, CallNotes } from './call.js';
import { type Answer, AnswerNotice, DecisionBar, Propose, Resolve } from './decision.js';
import { consequenceOf, ruleText, STATUSES } from './sentences.js';

const RUNNING_POLL_MS = 2000;

interface OfCall {
  readonly approval: Approval;
}

/** One call with everything that a decision needs. Notifications link to this page. */
export default function ApprovalPage() {
  const id = Number(useRoute().params['id']);
  if (Number.isSafeInteger(id) && id > 0) return <Call key={id} id={id} />;
  return (
    <Screen title="Approval">
      <Empty title="This is not the number of an approval.">
        <a href={href('/approvals')}>All pending calls</a>
      </Empty>
    </Screen>
  );
}

function Call({ id }: { readonly id: number }) {
  const resource = useResource(`approval ${id}`, (signal) => loadApproval(id, signal));
  const [answer, setAnswer] = useState<Answer | null>(null);
  const status = resource.data?.approval.status;
  const isRunning = status === 'approved' || status === 'executing';
  useLiveReload(resource.reload, isOfApprovals);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(resource.reload, RUNNING_POLL_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return (
    <Screen
      title={`Approval ${id}`}
      actions={
        <>
          <a href={href('/approvals')}>All pending calls</a>
          <a href={href('/approvals', { tab: 'history' })}>History</a>
        </>
      }
    >
      <Loaded resource={resource} lines={12}>
        {(open) => (
          <>
            {answer !== null && <AnswerNotice {...answer} status={open.approval.status} />}
            <Review approval={open.approval} reload={resource.reload} />
            <DecisionBar {...open} reload={resource.reload} onAnswer={setAnswer} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function Review({ approval, reload }: OfCall & { readonly reload: () => void }) {
  const { status, supersedes, changes } = approval;
  return (
    <>
      <CallNotes approval={approval} />
      <div class="call-columns">
        <div class="stack">
          <Request approval={approval} />
          {status !== 'pending' && <Outcome approval={approval} />}
          {status === 'outcome_unknown' && <Resolve approval={approval} reload={reload} />}
          {changes !== null && (
            <section class="card">
              <h2>Edited</h2>
              <p>
                <PlainText text={approval.edited_by ?? 'Somebody'} /> edited{' '}
                {supersedes !== null && <a href={href(`/approvals/${supersedes}`)}>approval {supersedes}</a>}
                <Said text={approval.edit_reason} />
              </p>
              <ArgumentTable changes={changes} />
            </section>
          )}
          {status === 'pending' && <Propose approval={approval} />}
        </div>
        <div class="stack">
          <Deciders approval={approval} />
          {approval.run_id !== null && <RunSoFar runId={approval.run_id} />}
        </div>
      </div>
    </>
  );
}

function Request({ approval }: OfCall) {
  const { status, overwritten } = approval;
  const [tone, text] = STATUSES[status];
  return (
    <section class="card call">
      <p class="split">
        <Status tone={tone}>{text}</Status>
        {status === 'pending' && <Countdown at={approval.expires_at} isAlone />}
      </p>
      <h2 class="call-line">
        <CallLine call={approval} />
      </h2>
      <p>
        requested by <PlainText text={approval.principal_id ?? UNKNOWN_CALLER} />
        {approval.application !== null && (
          <>
            {' '}
            in <PlainText text={approval.application} />
          </>
        )}
        , <Ago at={approval.created_at} isAlone />
        {approval.reversible || status === 'rejected' ? '.' : '. It cannot be undone.'}
      </p>
      {approval.arguments === null ? (
        <p class="notice">The arguments were erased.</p>
      ) : (
        <ArgumentTable value={approval.arguments} changes={overwritten} />
      )}
      {overwritten.length > 0 && (
        <p class="small muted">
          Struck out: the value from the model. The firewall replaced it; the call runs with the other value.
        </p>
      )}
    </section>
  );
}

/** How the call ended, or why it does not run. */
function Outcome({ approval }: OfCall) {
  const { status, result, superseded_by: newer, error } = approval;
  const consequence = consequenceOf(approval);
  return (
    <section class="card">
      <h2>Outcome</h2>
      <Deed
        by={approval.decided_by}
        at={approval.decided_at}
        what={`${approval.decision} it,`}
        reason={approval.reason}
      />
      {consequence !== null && <p>{consequence}</p>}
      {newer !== null && (
        <p>
          An edited call replaced it: <a href={href(`/approvals/${newer}`)}>approval {newer}</a>.
        </p>
      )}
      {error !== null && (
        <p class="notice blocked">
          <PlainText text={`${error.code}: ${error.message}`} />
        </p>
      )}
      {status === 'executed' && result !== null && (
        <pre class="code">
          <PlainText text={typeof result === 'string' ? result : JSON.stringify(result, null, 2)} />
        </pre>
      )}
      <Deed
        by={approval.resolved_by}
        at={approval.resolved_at}
        what="recorded this outcome,"
        reason={approval.resolved_reason}
      />
    </section>
  );
}

/** What an operator did, when and why. */
function Deed({
  by,
  at,
  what,
  reason,
}: {
  readonly by: string | null;
  readonly at: string | null;
  readonly what: string;
  readonly reason: string | null;
}) {
  if (by === null || at === null) return null;
  return (
    <p {...rowAt(0)}>
      <PlainText text={by} /> {what} <Time at={at} isAlone />
      <Said text={reason} />
    </p>
  );
}

function Deciders({ approval }: OfCall) {
  const { status, policy, decisions } = approval;
  const missing = policy.needed - policy.given;
  return (
    <section class="card">
      <h2>Who decides</h2>
      <p>
        {policy.given} of {plural(policy.needed, 'approval')} given.{' '}
        {status === 'pending' && missing > 0 && (
          <>
            {plural(missing, 'more approval')} needed
            {policy.group !== null && (
              <>
                {' '}
                from members of <PlainText text={policy.group} />
              </>
            )}
            {policy.needed > 1 &&
              `, ${missing > 1 ? 'each ' : ''}from another person; the requester does not count`}
            .{' '}
          </>
        )}
        {ruleText(approval)}
      </p>
      {decisions.length > 0 && (
        <ul class="stack-s">
          {decisions.map((one, index) => (
            <li key={one.decided_by} class="row" {...rowAt(index)}>
              <Status tone={one.decision === 'approved' ? 'ok' : 'blocked'}>{one.decision}</Status>
              <PlainText text={one.decided_by} />
              <Time at={one.decided_at} />
              {one.reason !== null && <PlainText text={one.reason} />}
              {!one.counts && <span class="tag blocked">does not count</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const SHOWN_OF_RUN = 50;

/** The decisions of the run that requested the call, oldest first. */
function RunSoFar({ runId }: { readonly runId: string }) {
  const run = useAnswer('audit.index', { query: { control: 'all', run_id: runId, limit: SHOWN_OF_RUN } });
  return (
    <section class="card">
      <h2>Earlier in this run</h2>
      <Loaded resource={run} lines={3}>
        {({ entries }) => (
          <>
            {entries.length === 0 && <p class="muted">No decision of this run is stored.</p>}
            <ol class="run-so-far stack-s">
              {entries.toReversed().map((entry) => (
                <li key={entry.id}>
                  <div class="row">
                    <OutcomeStatus entry={entry} />
                    <a href={href(`/audit/${entry.id}`)} data-row>
                      {CONTROL_WORDS[entry.control].label}
                      {entry.tool !== null && <PlainText text={`: ${entry.tool}`} />}
                    </a>
                    <Time at={entry.occurred_at} />
                  </div>
                  <p class="small break">
                    <EntryPreview entry={entry} />
                  </p>
                </li>
              ))}
            </ol>
            {entries.length === SHOWN_OF_RUN && (
              <a href={href('/audit', { run_id: runId })}>All decisions of this run</a>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
