import { useAddress } from '../data/address.js';

const DAY_MS = 86_400_000;

/** A choice of the last days, kept in the address as `days`. */
export function Period({
  choices,
  chosen,
}: {
  readonly choices: readonly number[];
  readonly chosen: number;
}) {
  const { change } = useAddress();
  return (
    <div class="segments" role="group" aria-label="Period">
      {choices.map((days) => (
        <button
          type="button"
          key={days}
          aria-pressed={days === chosen}
          onClick={() => change({ days }, { replace: true })}
        >
          {days === 366 ? 'a year' : days === 1 ? 'today (UTC)' : `${days} days`}
        </button>
      ))}
    </div>
  );
}

export function daysOf(query: Readonly<Record<string, string>>, choices: readonly number[]): number {
  return choices.find((days) => String(days) === query['days']) ?? choices[1] ?? 30;
}

/** The first and the last of the UTC days that end today. */
export function lastDays(days: number, now = Date.now()): { readonly from: string; readonly to: string } {
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  return { from: day(now - (days - 1) * DAY_MS), to: day(now) };
}
