import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useLiveReload } from '../../data/live.js';
import { loadApproval, type OpenApproval } from '../../data/open-approval.js';
import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { isOfApprovals } from '../../data/waiting.js';
import { plural } from '../../text/format.js';
import { PlainText } from '../../ui/plain-text.js';
import { rowAt } from '../../ui/rows.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Ago, Countdown, Time } from '../../ui/time.js';
import { AnswerNotice, type Answer } from './answer.js';
import { ArgumentsView, Changes } from './arguments.js';
import { DecisionBar } from './decision.js';
import type { Approval } from './loading.js';
import { Outcome, Part } from './outcome.js';
import { Propose } from './propose.js';
import { Resolve } from './resolve.js';
import { RunSoFar } from './run-so-far.js';
import { callText, STATUS_TEXT, STATUS_TONE } from './sentences.js';

const RUNNING_POLL_MS = 2000;
/** More would push the arguments off the screen. */
const FOLDED_WARNINGS = 4;

/** One call with everything that a decision needs. Notifications link to this page. */
export default function ApprovalPage() {
  const id = Number(useRoute().params['id']);
  const isId = Number.isSafeInteger(id) && id > 0;
  return isId ? (
    <Known key={id} id={id} />
  ) : (
    <Screen title="Approval">
      <Empty title="This is not the number of an approval.">
        <a href={href('/approvals')}>All pending calls</a>
      </Empty>
    </Screen>
  );
}

function Known({ id }: { readonly id: number }) {
  const resource = useResource<OpenApproval>(`approval ${id}`, (signal) => loadApproval(id, signal));
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
    <Screen title={`Approval ${id}`} actions={<a href={href('/approvals')}>All pending calls</a>}>
      <Loaded resource={resource} lines={12}>
        {(open) => (
          <>
            {answer !== null && <AnswerNotice answer={answer} />}
            <Review approval={open.approval} reload={resource.reload} />
            <DecisionBar {...open} reload={resource.reload} onAnswer={setAnswer} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function Review({ approval, reload }: { readonly approval: Approval; readonly reload: () => void }) {
  const { status, overwritten, changes, edited_by: editor } = approval;
  return (
    <>
      {approval.warnings.length > 0 && <Warnings warnings={approval.warnings} />}
      <div class="call-columns">
        <div class="stack">
          <section class="card call">
            <p class="split">
              <Status tone={STATUS_TONE[status]}>{STATUS_TEXT[status]}</Status>
              {status === 'pending' && <Countdown at={approval.expires_at} isAlone />}
            </p>
            <h2 class="call-line">
              <PlainText text={callText(approval.tool, approval.arguments)} />
            </h2>
            <p>
              requested by{' '}
              {approval.principal_id === null ? (
                'an unknown caller'
              ) : (
                <PlainText text={approval.principal_id} />
              )}
              {approval.application !== null && (
                <>
                  {' '}
                  in <PlainText text={approval.application} />
                </>
              )}
              , <Ago at={approval.created_at} isAlone />
              {approval.reversible ? '.' : '. It cannot be undone.'}
            </p>
            {approval.arguments === null ? (
              <p class="notice">The arguments were erased.</p>
            ) : (
              <ArgumentsView value={approval.arguments} changes={overwritten} />
            )}
            {overwritten.length > 0 && (
              <p class="small muted">
                Struck out: the value from the model. The firewall replaced it; the call runs with the other
                value.
              </p>
            )}
          </section>
          <Outcome approval={approval} />
          {status === 'outcome_unknown' && <Resolve approval={approval} reload={reload} />}
          {changes !== null && (
            <Part title="Edited">
              <p>
                <PlainText text={editor ?? 'Somebody'} /> edited{' '}
                {approval.supersedes !== null && (
                  <a href={href(`/approvals/${approval.supersedes}`)}>approval {approval.supersedes}</a>
                )}
                {approval.edit_reason !== null && (
                  <>
                    : <PlainText text={approval.edit_reason} />
                  </>
                )}
              </p>
              <Changes changes={changes} />
            </Part>
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

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const shown = isUnfolded ? warnings : warnings.slice(0, FOLDED_WARNINGS);
  return (
    <div class="notice blocked" role="note">
      <p>
        <strong>Look closely before you decide.</strong>
      </p>
      <ul class="warnings">
        {shown.map((warning) => (
          <li key={warning}>
            <PlainText text={warning} />
          </li>
        ))}
      </ul>
      {shown.length < warnings.length && (
        <p>
          <button type="button" onClick={() => setUnfolded(true)}>
            Show all {plural(warnings.length, 'warning')}
          </button>
        </p>
      )}
    </div>
  );
}

function Deciders({ approval: { status, policy, decisions } }: { readonly approval: Approval }) {
  const missing = policy.needed - policy.given;
  return (
    <Part title="Who decides">
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
            {policy.needed > 1 && ', each from another person; the requester does not count'}.{' '}
          </>
        )}
        {policy.rule === null
          ? 'No rule of a policy applies; the tool is destructive.'
          : `Rule ${policy.rule} of the policy requires them.`}
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
    </Part>
  );
}
