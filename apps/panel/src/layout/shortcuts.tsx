import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { keep, recall } from '../data/storage.js';
import { Dialog } from '../ui/dialog.js';
import { SCREENS } from './screens.js';

const OFF = 'guardrails.shortcuts';

/** Single letters can be switched off, because they get in the way of speech input (WCAG 2.1.4). */
const areLettersOff = signal(recall('local', OFF) === 'off');

interface Actions {
  readonly open: (path: string) => void;
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}

/** Keys that work on every screen. Screens add their own with `useLetters`. */
export function useShortcuts({ open, onPalette, onHelp }: Actions): void {
  useEffect(() => {
    let isAfterG = false;
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        return onPalette();
      }
      if (!isLetter(event)) return;
      const target = isAfterG ? SCREENS.find(({ key }) => key === event.key) : undefined;
      isAfterG = event.key === 'g';
      if (target !== undefined) {
        event.preventDefault();
        open(target.path);
      } else if (event.key === '?') onHelp();
      else if (event.key === '/') {
        const search = document.querySelector<HTMLElement>('[data-search]');
        if (search === null) return;
        event.preventDefault();
        search.focus();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open]);
}

/** Keys of one screen. Not while the operator types, and not after `g`. */
export function useLetters(actions: Readonly<Record<string, () => void>>): void {
  // Before the next paint, so that a key pressed on the new screen acts on what it shows.
  useLayoutEffect(() => {
    let isAfterG = false;
    const onKey = (event: KeyboardEvent): void => {
      if (!isLetter(event) || (event.key === 'Enter' && isOnControl(event))) return;
      const action = isAfterG ? undefined : actions[event.key];
      isAfterG = event.key === 'g';
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

function isLetter(event: KeyboardEvent): boolean {
  const { target } = event;
  const isTyping =
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
  const isModified = event.ctrlKey || event.metaKey || event.altKey;
  return (
    !isTyping && !isModified && !areLettersOff.value && document.querySelector('dialog.window[open]') === null
  );
}

/** Enter on a link or a button, or inside a dialog, has a meaning already. */
function isOnControl({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.closest('a, button, summary, dialog') !== null;
}

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl K', 'Open the palette'],
  ['/', 'Go to the search of the screen'],
  ['j  k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close what is open'],
  ['?', 'Show these keys'],
];

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const toggle = (): void => {
    areLettersOff.value = !areLettersOff.value;
    keep('local', OFF, areLettersOff.value ? 'off' : 'on');
  };
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {[...KEYS, ...SCREENS.map(({ key, label }) => [`g ${key}`, `Go to ${label}`] as const)].map(
          ([keys, meaning]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ),
        )}
      </dl>
      <label class="check">
        <input type="checkbox" checked={!areLettersOff.value} onChange={toggle} />
        Use single letters as keys
      </label>
    </Dialog>
  );
}
