import type { ComponentChildren } from 'preact';
import type { ControlKey } from '../text/names.js';

/** What a status means: fine, observed only, blocked or failed, or waiting for somebody. */
export type Tone = 'ok' | 'observed' | 'blocked' | 'waiting' | 'quiet';

/** The style sheet gives each tone a shape of its own, so that it does not depend on colour. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`status ${tone}`}>{children}</span>;
}

/** What the outcome `blocked` means where nothing was refused. */
const BLOCKED: Readonly<Partial<Record<ControlKey, string>>> = {
  output_handler: 'sanitized',
  hitl: 'not run',
};

/** The outcome of a decision, with the tone that it has on every screen. */
export function OutcomeStatus({
  control,
  outcome,
}: {
  readonly control: ControlKey;
  readonly outcome: 'allowed' | 'observed' | 'blocked';
}) {
  const word = outcome === 'blocked' ? (BLOCKED[control] ?? outcome) : outcome;
  return <Status tone={outcome === 'allowed' ? 'ok' : outcome}>{word}</Status>;
}

export function ModeStatus({ mode }: { readonly mode: 'enforce' | 'monitor' | 'off' }) {
  return (
    <Status tone={mode === 'enforce' ? 'ok' : mode === 'monitor' ? 'observed' : 'blocked'}>{mode}</Status>
  );
}
