import { serverNow } from '../data/clock.js';
import { ago, dateTime, duration } from '../text/format.js';

/** A local time; UTC and the time since then are in its title. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {dateTime(at)}
    </time>
  );
}

/** `2026-03-05T14:07:09.120Z UTC, 3 min ago`. */
export function exactTime(at: string): string {
  return `${at} UTC, ${ago(at, serverNow.peek())}`;
}

/** How long ago something was. */
export function Ago({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={`${dateTime(at)}, ${at} UTC`}>
      {ago(at, serverNow.value)}
    </time>
  );
}

/** Counts down by the server's clock. */
export function Countdown({ to }: { readonly to: string }) {
  const seconds = (Date.parse(to) - serverNow.value) / 1000;
  return (
    <time dateTime={to} title={`${dateTime(to)}, ${to} UTC`} class={seconds < 120 ? 'urgent' : ''}>
      {seconds <= 0 ? 'expired' : `${duration(seconds)} left`}
    </time>
  );
}
