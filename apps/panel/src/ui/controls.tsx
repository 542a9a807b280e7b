/** Buttons, choices, tabs and tables, as every screen has them. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { May } from '../data/me.js';
import { useAddress } from '../data/page.js';
import { count } from '../text/format.js';
import { announce } from './announcer.js';
import { Icon } from './icon.js';
import { PlainText } from './plain-text.js';

/** A button that submits no form. One that the caller may not press says why in its title. */
export function Button({ may, disabled, ...others }: ComponentProps<'button'> & { readonly may?: May }) {
  const isDisabled = disabled === true || may?.isAllowed === false;
  return <button type="button" title={may?.reason ?? undefined} disabled={isDisabled} {...others} />;
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce('Copied.');
    } catch {
      announce('The browser did not allow copying.');
    }
  };
  return (
    <Button class="ghost small" onClick={() => void copy()} onBlur={() => setCopied(false)}>
      <Icon name="copy" />
      {isCopied ? 'Copied' : label}
    </Button>
  );
}

/** A value and what is shown for it. */
export type Choice<Value> = readonly [value: Value, label: ComponentChildren];

/** A choice of one of few values, as buttons side by side. */
export function Segments<Value>({
  choices,
  chosen,
  disabled = false,
  onChoose,
  ...group
}: Pick<ComponentProps<'div'>, 'aria-label' | 'aria-labelledby' | 'aria-describedby'> & {
  readonly choices: readonly Choice<Value>[];
  readonly chosen: unknown;
  readonly disabled?: boolean;
  readonly onChoose: (value: Value) => void;
}) {
  return (
    <div class="segments" role="group" {...group}>
      {choices.map(([value, label]) => (
        <Button
          key={String(value)}
          aria-pressed={value === chosen}
          disabled={disabled}
          onClick={() => onChoose(value)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** A choice of one of several values, as a list that opens. */
export function Select({
  choices,
  onChoose,
  ...others
}: Omit<ComponentProps<'select'>, 'children'> & {
  readonly choices: readonly (readonly [value: string | number, label: string])[];
  readonly onChoose: (value: string) => void;
}) {
  return (
    <select {...others} onChange={typed(onChoose)}>
      {choices.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Values that are shown as they are. */
export function asChoices<Value extends string>(values: readonly Value[]) {
  return values.map((value) => [value, value] as const);
}

/** A handler that passes the text of a field on. */
export function typed(use: (text: string) => void) {
  return ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    use(currentTarget.value);
}

/** Links to the parts of a screen. */
export function Tabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly (readonly [to: string, text: string, isOpen: boolean])[];
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([to, text, isOpen]) => (
        <a key={to} href={to} aria-current={isOpen ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Filters of a list that are in the address, each with its way out. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const { query } = useAddress();
  const given = names.flatMap((name) => (query[name] ? [[name, query[name]] as const] : []));
  return Object.fromEntries(given) as Readonly<Partial<Record<Name, string>>>;
}

/** A table whose last columns are figures. */
export function Table({
  texts,
  numbers,
  class: name,
  caption,
  children,
}: {
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
  readonly class?: string;
  /** For screen readers. */
  readonly caption?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="table-scroll">
      <table class={name}>
        {caption !== undefined && <caption class="visually-hidden">{caption}</caption>}
        <thead>
          <tr>
            {texts.map((text) => (
              <th key={text}>{text}</th>
            ))}
            {numbers.map((text) => (
              <th key={text} class="number">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A line of a list of facts. */
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A figure with a link to the rows that it counts. A zero has no rows. */
export function CountLink({ value, to }: { readonly value: number; readonly to: string }) {
  return value === 0 ? <span class="muted">0</span> : <a href={to}>{count(value)}</a>;
}

/** A button that asks in place before its action. The focus goes to Cancel, so that a second Enter does nothing. */
export function AskFirst({
  question,
  action,
  onConfirm,
  ...button
}: Omit<ComponentProps<typeof Button>, 'action'> & {
  readonly question: string;
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
}) {
  const [isAsking, ask] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), [isAsking]);
  if (!isAsking) return <Button {...button} onClick={() => ask(true)} />;
  const confirm = (): void => {
    ask(false);
    void onConfirm();
  };
  return (
    <div
      class="notice confirm"
      role="group"
      aria-label={question}
      onKeyDown={({ key }) => key === 'Escape' && ask(false)}
    >
      <p class="break">
        <PlainText text={question} />
      </p>
      <p class="row">
        <button type="button" ref={cancel} onClick={() => ask(false)}>
          Cancel
        </button>
        <Button class="primary" disabled={button.disabled} onClick={confirm}>
          {action}
        </Button>
      </p>
    </div>
  );
}

/** The end of a form in a window: the way out, and the button that sends it. */
export function FormEnd({
  action,
  isSending,
  isSendable = true,
  onCancel,
}: {
  /** While the form is sent, and otherwise. */
  readonly action: readonly [sending: string, send: string];
  readonly isSending: boolean;
  readonly isSendable?: boolean;
  readonly onCancel: () => void;
}) {
  return (
    <p class="row">
      <Button onClick={onCancel}>Cancel</Button>
      <button type="submit" class="primary" disabled={isSending || !isSendable}>
        {action[isSending ? 0 : 1]}
      </button>
    </p>
  );
}

/** What the server does not accept in a field. */
export function FieldErrors({ reasons = [] }: { readonly reasons?: readonly string[] | undefined }) {
  return reasons.map((reason) => (
    <span class="field-error" key={reason}>
      {reason}
    </span>
  ));
}
