import type { ComponentChildren } from 'preact';
import { href } from '../../data/page.js';
import { PlainText } from '../../ui/plain-text.js';
import { rowAt } from '../../ui/rows.js';
import { Time } from '../../ui/time.js';
import type { Approval } from './loading.js';

/** How the call ended, or why it does not run. */
export function Outcome({ approval }: { readonly approval: Approval }) {
  const { status, superseded_by: newer, error } = approval;
  if (status === 'pending') return null;
  return (
    <Part title="Outcome">
      {approval.decided_by !== null && approval.decided_at !== null && (
        <p {...rowAt(0)}>
          <PlainText text={approval.decided_by} /> {approval.decision} it,{' '}
          <Time at={approval.decided_at} isAlone />
          {approval.reason !== null && (
            <>
              : <PlainText text={approval.reason} />
            </>
          )}
        </p>
      )}
      {(status === 'approved' || status === 'executing') && <p>The call runs. Its result appears here.</p>}
      {status === 'expired' && (
        <p>The call was not decided in time. It will not run; it has to be requested again.</p>
      )}
      {status === 'superseded' && newer === null && (
        <p>
          Settings, rights or arguments changed after the request. It will not run; it has to be requested
          again.
        </p>
      )}
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
      {status === 'executed' && approval.result !== null && (
        <pre class="code">
          <PlainText
            text={
              typeof approval.result === 'string' ? approval.result : JSON.stringify(approval.result, null, 2)
            }
          />
        </pre>
      )}
      {approval.resolved_by !== null && approval.resolved_at !== null && (
        <p {...rowAt(0)}>
          <PlainText text={approval.resolved_by} /> recorded this outcome,{' '}
          <Time at={approval.resolved_at} isAlone />
          {approval.resolved_reason !== null && (
            <>
              : <PlainText text={approval.resolved_reason} />
            </>
          )}
        </p>
      )}
    </Part>
  );
}

export function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
