import { serverNow } from '../data/clock.js';
import { ago, dateTime, duration } from '../text/format.js';

/** A local time; UTC and the time since then are shown on hover and on focus. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={`${at} UTC, ${ago(at, serverNow.peek())}`}>
      {dateTime(at)}
    </time>
  );
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
