import { signal } from '@preact/signals';

const SHOWN_MS = 6_000;

const sentence = signal('');
const shown = signal('');
let hiding: ReturnType<typeof setTimeout> | undefined;

/** Has a sentence read out by screen readers. */
export function announce(text: string): void {
  sentence.value = sentence.peek() === text ? `${text}\u00A0` : text;
}

/** Announces the result of an action, and shows it for a moment wherever the page is scrolled to. */
export function announceResult(text: string): void {
  announce(text);
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
