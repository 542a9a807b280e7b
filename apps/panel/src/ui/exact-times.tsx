import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { exactTime } from './values.js';

/** A finger that rests on a time or on the link of a row for so long asks for exact times; a tap opens the row. */
const HOLD_MS = 500;

/** The times of the focused row, or the touched one. Empty: nothing is shown. */
const shown = signal<readonly string[]>([]);

export function hideExactTimes(): void {
  shown.value = [];
}

/**
 * Shows the exact times of the focused row or time, and of a touched time. For screen readers
 * they are the description of what has the focus.
 */
export function ExactTimes() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(listen, []);
  useLayoutEffect(() => {
    const { current } = element;
    // The tooltip is hidden first, so that it is shown above a window that was opened in the meantime.
    current?.hidePopover();
    if (shown.value.length > 0) current?.showPopover();
  }, [shown.value]);
  return (
    <div ref={element} class="exact-times" role="tooltip" popover="manual">
      {shown.value.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

function listen(): () => void {
  const listeners = new AbortController();
  const { signal: until } = listeners;
  let described: Element | null = null;
  let hold: ReturnType<typeof setTimeout> | undefined;
  let isHeld = false;

  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || !target.matches(':focus-visible')) return;
    const texts = timesOf(target);
    if (texts.length === 0) return;
    shown.value = texts;
    described = target;
    // The description is a text and no reference, because the tooltip is inert while a window is open.
    target.setAttribute('aria-description', texts.join(' '));
  };
  const onBlur = () => {
    described?.removeAttribute('aria-description');
    described = null;
    hideExactTimes();
  };
  const onDown = ({ target, pointerType }: PointerEvent) => {
    isHeld = false;
    hideExactTimes();
    const texts = touchedTimes(target);
    if (pointerType !== 'touch' || texts.length === 0) return;
    if (!(target as Element).closest('a, button, label, summary')) {
      shown.value = texts;
      return;
    }
    hold = setTimeout(() => {
      isHeld = true;
      shown.value = texts;
    }, HOLD_MS);
  };
  const onHover = ({ target }: PointerEvent) => {
    const time = timeOf(target);
    if (time !== null) time.title = exactTime(time.dateTime);
  };
  const cancel = () => clearTimeout(hold);
  // A click that a key causes does not belong to the touch before it, so it is not refused.
  const onKey = () => void (isHeld = false);
  const refuse = (event: Event) => {
    if (!isHeld) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('focusin', onFocus, { signal: until });
  document.addEventListener('focusout', onBlur, { signal: until });
  document.addEventListener('pointerdown', onDown, { signal: until });
  document.addEventListener('pointerover', onHover, { signal: until });
  document.addEventListener('keydown', onKey, { signal: until, capture: true });
  for (const end of ['pointerup', 'pointercancel'] as const)
    document.addEventListener(end, cancel, { signal: until });
  // The end of a long touch neither opens the row nor the menu of its link.
  for (const name of ['click', 'contextmenu'] as const)
    document.addEventListener(name, refuse, { signal: until, capture: true });
  return () => listeners.abort();
}

function touchedTimes(target: EventTarget | null): readonly string[] {
  const time = timeOf(target);
  if (time !== null) return [exactTime(time.dateTime)];
  const row = target instanceof Element ? target.closest<HTMLElement>('a[data-row]') : null;
  return row === null ? [] : timesOf(row);
}

function timeOf(target: EventTarget | null): HTMLTimeElement | null {
  return target instanceof Element ? target.closest('time') : null;
}

/** The time itself, those of a row, or of the line in which a link stands; not those of rows inside the row. */
function timesOf(target: HTMLElement): readonly string[] {
  if (target instanceof HTMLTimeElement) return [exactTime(target.dateTime)];
  const isRow = target.matches('[data-row]');
  if (!isRow && !(target instanceof HTMLAnchorElement)) return [];
  const place =
    target instanceof HTMLAnchorElement ? target.closest(isRow ? 'tr, li, article' : 'p, li') : target;
  const times = [...(place?.querySelectorAll('time') ?? [])].filter((time) => {
    const row = time.closest('[data-row]');
    return row === null || row === target || row.contains(target);
  });
  return [...new Set(times.map((time) => exactTime(time.dateTime)))];
}
