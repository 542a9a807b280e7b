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

/** More may have to be scrolled to, so that their number is said. */
const SEEN = 2;

/** What an approver must know: risks and warnings. */
export function CallNotes({ approval: { status, risk, warnings } }: { readonly approval: Approval }) {
  const notes = [...risk, ...warnings.map((text) => ({ name: null, text }))];
  if (notes.length === 0) return null;
  const title = RISKS[status === 'pending' ? 'before' : 'after'];
  return (
    <div class="notice blocked" role="note">
      <p>
        <strong>{title}</strong> {notes.length > SEEN && `${notes.length} notes`}
      </p>
      <ul class="warnings" aria-label={title} tabIndex={0}>
        {notes.map(({ name, text }, index) => (
          <li key={index}>
            {name !== null && <span class="tag blocked">{riskMark(name)}</span>} <PlainText text={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}
