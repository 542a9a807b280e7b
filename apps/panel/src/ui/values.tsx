/** Statuses and times, as every screen shows them. */
import type { ComponentChildren } from 'preact';
import type { AuditListItem } from '#client/index.js';
import type { ModeName, Outcome } from '#contracts/common/control-mode.js';
import { serverNow } from '../data/clock.js';
import { ago, dateTime, duration, isUtc } from '../text/format.js';
import { outcomeWord } from '../text/names.js';

/** What a status means: fine, recorded only, blocked or failed, or waiting for somebody. */
export type Tone = 'ok' | 'observed' | 'blocked' | 'waiting' | 'quiet';

/** The style sheet gives each tone a different shape, so that it does not depend on colour. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`status ${tone}`}>{children}</span>;
}

export function toneOf(outcome: Outcome): Tone {
  return outcome === 'allowed' ? 'ok' : outcome;
}

const STEPS: Readonly<Record<NonNullable<AuditListItem['approval_step']>, readonly [Tone, word: string]>> = {
  parked: ['waiting', 'pending'],
  proposed: ['waiting', 'edited'],
  voted: ['waiting', 'voted'],
  reminded: ['waiting', 'reminded'],
  escalated: ['observed', 'escalated'],
  approved: ['ok', 'approved'],
  rejected: ['blocked', 'rejected'],
  executed: ['ok', 'ran'],
  failed: ['blocked', 'failed'],
  outcome_unknown: ['observed', 'unknown'],
  expired: ['blocked', 'expired'],
  superseded: ['quiet', 'superseded'],
};

/** The outcome of a decision, or the step of an approval, with the tone that it has on every screen. */
export function OutcomeStatus({
  entry: { control, outcome, approval_step: step },
}: {
  readonly entry: Pick<AuditListItem, 'control' | 'outcome' | 'approval_step'>;
}) {
  const ofOutcome = [toneOf(outcome), outcomeWord(control, outcome)] as const;
  const [tone, word] = step === null ? ofOutcome : STEPS[step];
  return <Status tone={tone}>{word}</Status>;
}

const MODE_TONES: Readonly<Record<ModeName, Tone>> = { enforce: 'ok', monitor: 'observed', off: 'quiet' };

export function ModeStatus({ mode }: { readonly mode: ModeName }) {
  return <Status tone={MODE_TONES[mode]}>{mode}</Status>;
}

interface Shown {
  readonly at: string;
  /** Outside of rows and links: the keyboard reaches the time itself, so that `ExactTimes` shows it. */
  readonly isAlone?: true;
}

/** A local time. Its title, and `ExactTimes`, have UTC and the time since then. */
export function Time(shown: Shown) {
  return shownTime(shown, dateTime(shown.at));
}

function shownTime({ at, isAlone }: Shown, text: string, name?: string) {
  return (
    <time dateTime={at} title={exactTime(at)} tabIndex={isAlone && 0} class={name}>
      {text}
    </time>
  );
}

/** `05 Mar, 14:07:09 local time, 2026-03-05T14:07:09.120Z UTC, 3 min ago`. */
export function exactTime(at: string): string {
  const seconds = (Date.parse(at) - serverNow.peek()) / 1000;
  const distance = seconds > 1 ? `in ${duration(seconds)}` : ago(at, serverNow.peek());
  return `${isUtc.value ? '' : `${dateTime(at)} local time, `}${at} UTC, ${distance}`;
}

/** How long ago something was. */
export function Ago(shown: Shown) {
  return shownTime(shown, ago(shown.at, serverNow.value));
}

/** Counts down by the server's clock. */
export function Countdown(shown: Shown) {
  const seconds = (Date.parse(shown.at) - serverNow.value) / 1000;
  const text = seconds <= 0 ? 'expired' : `${duration(seconds)} left`;
  return shownTime(shown, text, seconds < 120 ? 'urgent' : '');
}
