import type { ComponentChildren } from 'preact';
import type { Approval } from '../../data/open-approval.js';
import { Headline } from '../../ui/arguments.js';
import { PlainText } from '../../ui/plain-text.js';
import { riskMark, RISKS } from './sentences.js';

/** The tool with what it says of the call; `children` where it says nothing. */
export function CallLine({
  call: { tool, headline },
  children,
}: {
  readonly call: Pick<Approval, 'tool' | 'headline'>;
  readonly children?: ComponentChildren;
}) {
  const words = headline === null ? children : <Headline parts={headline} />;
  return (
    <>
      <PlainText text={tool} />
      {words !== undefined && <>: {words}</>}
    </>
  );
}

/** What an approver must know: risks and warnings. */
export function CallNotes({ approval: { status, risk, warnings } }: { readonly approval: Approval }) {
  const notes = [...risk, ...warnings.map((text) => ({ name: null, text }))];
  if (notes.length === 0) return null;
  return (
    <div class="notice blocked" role="note">
      <p>
        <strong>{RISKS[status === 'pending' ? 'before' : 'after']}</strong>
      </p>
      <ul class="warnings" tabIndex={0}>
        {notes.map(({ name, text }, index) => (
          <li key={index}>
            {name !== null && <span class="tag blocked">{riskMark(name)}</span>} <PlainText text={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}
