import type { ComponentChildren } from 'preact';
import type { Approval } from '../../data/open-approval.js';
import { Headline } from '../../ui/arguments.js';
import { PlainText } from '../../ui/plain-text.js';

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
