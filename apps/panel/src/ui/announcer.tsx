/** Announces results and arrivals to screen readers, one after the other, and holds the messages above every screen. */
import { signal } from '@preact/signals';
import { type ComponentChildren, createRef } from 'preact';
import { count, plural } from '../text/format.js';

const SHOWN_MS = 6_000;
/** At most one announcement in this time, so that a screen reader finishes it. */
const PAUSE_MS = 5_000;

const sentence = signal('');
const shown = signal('');
let hiding: ReturnType<typeof setTimeout> | undefined;
let pause: ReturnType<typeof setTimeout> | undefined;

interface Arrived {
  readonly decisions: number;
  readonly blocked: number;
  /** There are more of them than were counted. */
  readonly isCut: boolean;
}

interface Waiting {
  readonly results: readonly string[];
  readonly state: string | null;
  readonly arrived: Arrived | null;
}

const NOTHING: Waiting = { results: [], state: null, arrived: null };
let waiting = NOTHING;

/** Has the result of an action read out by screen readers. Results that are given during a pause follow each other. */
export function announce(result: string): void {
  say({ ...waiting, results: [...waiting.results, result] });
}

/** Announces what the screen shows now. During a pause, a later state replaces an earlier one. */
export function announceState(state: string): void {
  say({ ...waiting, state });
}

/** Announces decisions that arrived. Those that arrive during a pause are added up. */
export function announceArrived({ decisions, blocked, isCut }: Arrived): void {
  const before = waiting.arrived ?? { decisions: 0, blocked: 0, isCut: false };
  const arrived = {
    decisions: before.decisions + decisions,
    blocked: before.blocked + blocked,
    isCut: before.isCut || isCut,
  };
  say({ ...waiting, arrived });
}

/** Announces the result of an action, and shows it for a moment wherever the page is scrolled to. */
export function announceResult(text: string): void {
  announce(text);
  shown.value = text;
  clearTimeout(hiding);
  hiding = setTimeout(() => (shown.value = ''), SHOWN_MS);
}

/** At once, or at the end of the pause after the last announcement, together with all that was added until then. */
function say(added: Waiting): void {
  waiting = added;
  if (pause !== undefined) return;
  const text = textOf(waiting);
  sentence.value = sentence.peek() === text ? `${text}\u00A0` : text;
  waiting = NOTHING;
  pause = setTimeout(() => {
    pause = undefined;
    if (waiting !== NOTHING) say(waiting);
  }, PAUSE_MS);
}

function textOf({ results, state, arrived }: Waiting) {
  const parts = [...results, state, arrived === null ? null : arrivedText(arrived)];
  return parts.filter((part) => part !== null).join(' ');
}

/** `12 new decisions, 3 blocked.` */
function arrivedText({ decisions, blocked, isCut }: Arrived) {
  const least = isCut ? 'At least ' : '';
  return `${least}${plural(decisions, 'new decision')}${blocked > 0 ? `, ${count(blocked)} blocked` : ''}.`;
}

const home = createRef<HTMLDivElement>();
const messages = createRef<HTMLDivElement>();

/** Moves the messages into the window on top: what stands beside it can be neither seen nor pressed. */
export function moveMessages(closing?: Element | null): void {
  const windows = [...document.querySelectorAll('dialog[open]')];
  const place = windows.findLast((one) => one !== closing) ?? home.current;
  // A message that is inserted again is read out again.
  if (messages.current !== null && messages.current.parentNode !== place) place?.append(messages.current);
}

export function Announcer({ children }: { readonly children: ComponentChildren }) {
  return (
    <div ref={home}>
      <div ref={messages}>
        <p class="visually-hidden" role="status" aria-live="polite">
          {sentence.value}
        </p>
        {shown.value !== '' && (
          <p class="toast" aria-hidden="true">
            {shown.value}
          </p>
        )}
        {children}
      </div>
    </div>
  );
}
