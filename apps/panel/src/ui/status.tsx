import type { ComponentChildren } from 'preact';
import type { ControlKey } from '../text/names.js';

/** What a status means: fine, observed only, blocked or failed, or waiting for somebody. */
export type Tone = 'ok' | 'observed' | 'blocked' | 'waiting' | 'quiet';

/** Each tone has its own shape, so that it does not depend on colour. */
const SHAPES: Readonly<Record<Tone, string>> = {
  ok: 'M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z',
  observed: 'M6 1l5 9.5H1z',
  blocked: 'M1.5 1.5h9v9h-9z',
  waiting: 'M6 .5L11.5 6 6 11.5.5 6z',
  quiet: 'M1.5 6h9',
};

export function Status({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <span class={`status ${tone}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={SHAPES[tone]} />
      </svg>
      {children}
    </span>
  );
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
