import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { screenTitle } from '../data/waiting.js';

/** The head of a screen with its content. */
export function Screen({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  /** What the screen is for, in a sentence. */
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  useEffect(() => {
    screenTitle.value = title;
  }, [title]);
  return (
    <article class="screen">
      <header class="screen-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p class="muted">{lead}</p>}
        </div>
        {actions !== undefined && <div class="row">{actions}</div>}
      </header>
      {children}
    </article>
  );
}
