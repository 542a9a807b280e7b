import { signal } from '@preact/signals';

const SHOWN_MS = 6_000;
/** At most one sentence in this time, so that a screen reader finishes it. */
const PAUSE_MS = 5_000;

const sentence = signal('');
const shown = signal('');
let hiding: ReturnType<typeof setTimeout> | undefined;
let pause: ReturnType<typeof setTimeout> | undefined;
let waiting: { readonly text: string; readonly isResult: boolean } | null = null;

/** Has a sentence read out by screen readers, at the end of the pause after the one before it. A later one replaces it. */
export function announce(text: string): void {
  queue(text, false);
}

function queue(text: string, isResult: boolean): void {
  if (pause === undefined) return say(text);
  // What an action of the operator did is not replaced by news.
  if (isResult || waiting?.isResult !== true) waiting = { text, isResult };
}

function say(text: string): void {
  sentence.value = sentence.peek() === text ? `${text}\u00A0` : text;
  pause = setTimeout(() => {
    pause = undefined;
    const next = waiting;
    waiting = null;
    if (next !== null) say(next.text);
  }, PAUSE_MS);
}

/** Announces the result of an action, and shows it for a moment wherever the page is scrolled to. */
export function announceResult(text: string): void {
  queue(text, true);
  shown.value = text;
  clearTimeout(hiding);
  hiding = setTimeout(() => (shown.value = ''), SHOWN_MS);
}

export function Announcer() {
  return (
    <>
      <p class="visually-hidden" role="status" aria-live="polite">
        {sentence.value}
      </p>
      {shown.value !== '' && (
        <p class="toast" aria-hidden="true">
          {shown.value}
        </p>
      )}
    </>
  );
}
