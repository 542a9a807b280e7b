import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { AUTH } from '../data/page.js';
import { SignedOutNotice } from '../layout/signed-out.js';
import { Icon } from './icon.js';

/** A modal window. The browser keeps the focus inside and returns it afterwards. */
export function Dialog({
  title,
  kind = 'window',
  isBusy = false,
  onClose,
  children,
}: {
  readonly title: ComponentChildren;
  /** A `drawer` comes from the side; a `window` stands in the middle. */
  readonly kind?: 'window' | 'drawer';
  /** While an answer is awaited the window stays open, because the answer is shown in it. */
  readonly isBusy?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isPressedBeside = useRef(false);
  const close = (): void => {
    if (!isBusy) element.current?.close();
  };
  // The window opens before the next paint, so that the next key press belongs to it.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    element.current?.showModal();
    return () => opener instanceof HTMLElement && opener.isConnected && opener.focus();
  }, []);
  return (
    <dialog
      ref={element}
      class={kind}
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={(event) => isBusy && event.preventDefault()}
      onPointerDown={(event) => (isPressedBeside.current = event.target === element.current)}
      onClick={(event) => isPressedBeside.current && event.target === element.current && close()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" class="ghost" aria-label="Close" disabled={isBusy} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        <SignedOutNotice auth={AUTH} />
        {children}
      </div>
    </dialog>
  );
}
