import type { ComponentChildren } from 'preact';
import type { AuditListItem } from '#client/index.js';
import type { ControlKey } from '../text/names.js';

/** What a status means: fine, observed only, blocked or failed, or waiting for somebody. */
export type Tone = 'ok' | 'observed' | 'blocked' | 'waiting' | 'quiet';

/** The style sheet gives each tone a different shape, so that it does not depend on colour. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`status ${tone}`}>{children}</span>;
}

/** What the outcome `blocked` means where nothing was refused. */
const BLOCKED: Readonly<Partial<Record<ControlKey, string>>> = {
  output_handler: 'sanitized',
  hitl: 'not run',
};

export function blockedWord(control: ControlKey): string {
  return BLOCKED[control] ?? 'blocked';
}

const STEPS: Readonly<Record<ApprovalStep, readonly [tone: Tone, word: string]>> = {
  parked: ['waiting', 'parked'],
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

type ApprovalStep = NonNullable<AuditListItem['approval_step']>;

/** The outcome of a decision, or the step of an approval, with the tone that it has on every screen. */
export function OutcomeStatus({
  entry: { control, outcome, approval_step: step },
}: {
  readonly entry: Pick<AuditListItem, 'control' | 'outcome' | 'approval_step'>;
}) {
  if (step !== null) {
    const [tone, word] = STEPS[step];
    return <Status tone={tone}>{word}</Status>;
  }
  const word = outcome === 'blocked' ? blockedWord(control) : outcome;
  return <Status tone={outcome === 'allowed' ? 'ok' : outcome}>{word}</Status>;
}

export function ModeStatus({ mode }: { readonly mode: 'enforce' | 'monitor' | 'off' }) {
  return (
    <Status tone={mode === 'enforce' ? 'ok' : mode === 'monitor' ? 'observed' : 'blocked'}>{mode}</Status>
  );
}
