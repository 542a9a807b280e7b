import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { keep, recall } from '../data/storage.js';
import { Dialog } from '../ui/dialog.js';
import { SCREENS } from './screens.js';

const OFF = 'guardrails.shortcuts';

/** Single letters can be switched off, because they disturb speech input (WCAG 2.1.4). */
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
      else if (event.key === 'j' || event.key === 'k') focusRow(event.key === 'j' ? 1 : -1);
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

/** Focuses the link of the next or the previous row; without a focused row, that of the first visible one. */
function focusRow(step: 1 | -1): void {
  if (document.querySelector('dialog[open]') !== null) return;
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const focused = rows.findIndex((row) => row === document.activeElement);
  const at = focused < 0 ? rows.findIndex((row) => row.getBoundingClientRect().top >= 0) : focused + step;
  rows[at]?.focus({ preventScroll: true });
  rows[at]?.scrollIntoView({ block: 'nearest' });
}

/** The keys of screens, with what they do. Keys of lists and of `g` are not among them. */
const LETTERS = {
  a: 'Approve the open call, after a confirmation',
  r: 'Reject the open call, after a confirmation',
  f: 'Review: a false alarm',
  t: 'Review: an attack',
  u: 'Review: unsure',
  j: 'Next row or entry; in an open entry the older one',
  k: 'Previous row or entry; in an open entry the newer one',
} as const;

/** Keys of one screen. Not while the operator types, and not after `g`. */
export function useLetters(actions: Readonly<Partial<Record<keyof typeof LETTERS, () => void>>>): void {
  // Before the next paint, so that a key pressed on the new screen acts on what it shows.
  useLayoutEffect(() => {
    let isAfterG = false;
    const onKey = (event: KeyboardEvent): void => {
      if (!isLetter(event)) return;
      const action = isAfterG ? undefined : actions[event.key as keyof typeof LETTERS];
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

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl K', 'Open the palette'],
  ['/', 'Go to the search of the screen'],
  ...Object.entries(LETTERS),
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
