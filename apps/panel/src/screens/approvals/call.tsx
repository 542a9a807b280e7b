/** A call in a line, and what an approver must know of it first. */
import type { ComponentChildren } from 'preact';
import type { Approval } from '../../data/open-approval.js';
import { Headline } from '../../ui/arguments.js';
import { PlainText } from '../../ui/plain-text.js';
import { riskMark } from './sentences.js';

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

/** A risk or a warning: its mark, if it has one, with its sentence. */
export function RiskNote({ name, text }: { readonly name?: string; readonly text: string }) {
  return (
    <li>
      {name !== undefined && <span class="tag blocked">{riskMark(name)}</span>} <PlainText text={text} />
    </li>
  );
}
