import type { ComponentChildren } from 'preact';
import type { AuditListItem } from '#client/index.js';
import type { ModeName } from '#contracts/common/control-mode.js';
import { outcomeWord } from '../text/names.js';

/** What a status means: fine, recorded only, blocked or failed, or waiting for somebody. */
export type Tone = 'ok' | 'observed' | 'blocked' | 'waiting' | 'quiet';

/** The style sheet gives each tone a different shape, so that it does not depend on colour. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`status ${tone}`}>{children}</span>;
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
  const ofOutcome = [outcome === 'allowed' ? 'ok' : outcome, outcomeWord(control, outcome)] as const;
  const [tone, word] = step === null ? ofOutcome : STEPS[step];
  return <Status tone={tone}>{word}</Status>;
}

const MODE_TONES: Readonly<Record<ModeName, Tone>> = { enforce: 'ok', monitor: 'observed', off: 'blocked' };

export function ModeStatus({ mode }: { readonly mode: ModeName }) {
  return <Status tone={MODE_TONES[mode]}>{mode}</Status>;
}
