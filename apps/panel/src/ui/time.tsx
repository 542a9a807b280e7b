import { serverNow } from '../data/clock.js';
import { ago, dateTime, duration } from '../text/format.js';

interface Shown {
  readonly at: string;
  /** Outside of rows and links: the keyboard reaches the time itself, so that `ExactTimes` shows it. */
  readonly isAlone?: true;
}

/** A local time. Its title, and `ExactTimes`, have UTC and the time since then. */
export function Time({ at, isAlone }: Shown) {
  return (
    <time dateTime={at} title={exactTime(at)} tabIndex={isAlone && 0}>
      {dateTime(at)}
    </time>
  );
}

/** `05 Mar, 14:07:09 local time, 2026-03-05T14:07:09.120Z UTC, 3 min ago`. */
export function exactTime(at: string): string {
  const seconds = (Date.parse(at) - serverNow.peek()) / 1000;
  const distance = seconds > 1 ? `in ${duration(seconds)}` : ago(at, serverNow.peek());
  return `${dateTime(at)} local time, ${at} UTC, ${distance}`;
}

/** How long ago something was. */
export function Ago({ at, isAlone }: Shown) {
  return (
    <time dateTime={at} title={exactTime(at)} tabIndex={isAlone && 0}>
      {ago(at, serverNow.value)}
    </time>
  );
}

/** Counts down by the server's clock. */
export function Countdown({ at, isAlone }: Shown) {
  const seconds = (Date.parse(at) - serverNow.value) / 1000;
  return (
    <time dateTime={at} title={exactTime(at)} tabIndex={isAlone && 0} class={seconds < 120 ? 'urgent' : ''}>
      {seconds <= 0 ? 'expired' : `${duration(seconds)} left`}
    </time>
  );
}
