import { signal } from '@preact/signals';

const sentence = signal('');

/** Has a sentence read out by screen readers. */
export function announce(text: string): void {
  sentence.value = sentence.peek() === text ? `${text}\u00A0` : text;
}

export function Announcer() {
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {sentence.value}
    </p>
  );
}
