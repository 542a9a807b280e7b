/** All keys of the panel, and how screens and the frame bind them. */
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { keep, recall } from '../data/storage.js';
import { Dialog } from '../ui/dialog.js';
import { hideExactTimes } from '../ui/exact-times.js';
import { SCREENS } from './screens.js';

const OFF = 'guardrails.shortcuts';

/** Single letters can be switched off, because they disturb speech input (WCAG 2.1.4). */
const areLettersOff = signal(recall('local', OFF) === 'off');

/** Every key of the panel, with what it does. The help lists them, and no other key can be bound. */
const KEYS = {
  'Ctrl K': 'Open the palette',
  '/': 'Go to the search of the screen',
  j: 'Next row or entry; in an open entry the older one',
  k: 'Previous row or entry; in an open entry the newer one',
  '↓': 'Next row, from a row',
  '↑': 'Previous row, from a row',
  Enter: 'Open the row',
  Esc: 'Close what is open',
  a: 'Approve the open call, after a confirmation',
  r: 'Reject the open call, after a confirmation',
  f: 'Review: a false alarm',
  t: 'Review: an attack',
  u: 'Review: unsure',
  '?': 'Show these keys',
  ...(Object.fromEntries(SCREENS.map(({ key, label }) => [`g ${key}`, `Go to ${label}`])) as Readonly<
    Record<`g ${string}`, string>
  >),
} as const;

type Actions<Action> = Readonly<Partial<Record<keyof typeof KEYS, Action>>>;

/** Names of keys that are written differently in `KEYS`. */
const NAMES: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' };

/** Whether `g` was the key before. */
let isAfterG = false;

/** The name in `KEYS`; `null` for a key that is meant for a field or a window, or is switched off. */
function nameOf(event: KeyboardEvent): string | null {
  const { key, target } = event;
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'k') return 'Ctrl K';
  const isTyping =
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
  const isModified = event.ctrlKey || event.metaKey || event.altKey;
  if (isTyping || isModified || document.querySelector('dialog.window[open]') !== null) return null;
  if (key.length > 1) return NAMES[key] ?? key;
  if (areLettersOff.value) return null;
  return isAfterG ? `g ${key}` : key;
}

function actionFor<Action>(
  actions: Readonly<Record<string, Action>>,
  event: KeyboardEvent,
): Action | undefined {
  const name = nameOf(event);
  return name !== null && Object.hasOwn(actions, name) ? actions[name] : undefined;
}

/** Keys of one screen. They come before those of every screen. */
export function useKeys(actions: Actions<() => void>): void {
  // The keys are bound before the next paint, so that a key pressed on the new screen acts on what it shows.
  useLayoutEffect(() => {
    const act = (event: KeyboardEvent) => {
      const action = actionFor(actions, event);
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    // The keys of every screen are bound to the window, which gets the event after the document.
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  });
}

/** Keys of every screen. */
export function useShortcuts({
  open,
  onPalette,
  onHelp,
}: {
  readonly open: (path: string) => void;
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}): void {
  useEffect(() => {
    const actions: Actions<(event: KeyboardEvent) => void> = {
      'Ctrl K': prevented(onPalette),
      '?': onHelp,
      '/': (event) => {
        const search = document.querySelector<HTMLElement>('[data-search]');
        if (search !== null) prevented(() => search.focus())(event);
      },
      j: () => focusRow(1),
      k: () => focusRow(-1),
      '↓': (event) => isRow(event.target) && prevented(() => focusRow(1))(event),
      '↑': (event) => isRow(event.target) && prevented(() => focusRow(-1))(event),
      // A row that is a link is opened by the browser. This opens a row that has one.
      Enter: ({ target }) => isRow(target) && target.querySelector('a')?.click(),
      // The browser itself closes windows on this key.
      Esc: hideExactTimes,
      ...Object.fromEntries(SCREENS.map(({ key, path }) => [`g ${key}`, prevented(() => open(path))])),
    };
    const onKey = (event: KeyboardEvent) => {
      if (!event.defaultPrevented) actionFor(actions, event)?.(event);
      isAfterG = nameOf(event) === 'g';
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open]);
}

function prevented(action: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    event.preventDefault();
    action();
  };
}

function isRow(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.matches('[data-row]');
}

/** Focuses the next or the previous row of the open window or of the screen; without a focused row the first visible. */
function focusRow(step: 1 | -1): void {
  const scope = document.querySelector('dialog[open]') ?? document.querySelector('main');
  const rows = [...(scope?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const focused = rows.findIndex((row) => row === document.activeElement);
  const at = focused < 0 ? rows.findIndex((row) => row.getBoundingClientRect().top >= 0) : focused + step;
  rows[at]?.focus({ preventScroll: true });
  rows[at]?.scrollIntoView({ block: 'nearest' });
}

/** The key of a button or a list, where it works. */
export function Key({ name }: { readonly name: keyof typeof KEYS }) {
  return areLettersOff.value ? null : <kbd aria-hidden="true">{name}</kbd>;
}

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const toggle = () => {
    areLettersOff.value = !areLettersOff.value;
    keep('local', OFF, areLettersOff.value ? 'off' : 'on');
  };
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {Object.entries(KEYS).map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={!areLettersOff.value} onChange={toggle} />
        Use single letters as keys
      </label>
    </Dialog>
  );
}
