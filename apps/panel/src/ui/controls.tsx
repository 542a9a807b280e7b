/** Buttons, choices, tabs and tables, as every screen has them. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAddress } from '../data/page.js';
import type { May } from '../data/session.js';
import { count } from '../text/format.js';
import { announce } from './announcer.js';
import { PlainText } from './plain-text.js';

/** A button that submits no form. One that the caller may not press says why in its title. */
export function Button({ may, disabled, ...others }: ComponentProps<'button'> & { readonly may?: May }) {
  const isDisabled = disabled === true || may?.isAllowed === false;
  return <button type="button" title={may?.reason ?? undefined} disabled={isDisabled} {...others} />;
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
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
        <a key={to} href={to} aria-current={isOpen ? 'page' : undefined} ref={isOpen ? moveIntoSight : null}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Where not all tabs fit. */
function moveIntoSight(tab: HTMLElement | null): void {
  tab?.parentElement?.scrollTo(tab.offsetLeft - tab.parentElement.clientWidth / 2, 0);
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
  const confirm = () => {
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

/** A form that the panel sends. `textOf` reads a field by its name. */
export function Form({
  onSend,
  ...others
}: Omit<ComponentProps<'form'>, 'onSubmit'> & {
  readonly onSend: (textOf: (name: string) => string) => unknown;
}) {
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    onSend((name) => {
      const text = fields.get(name);
      return typeof text === 'string' ? text : '';
    });
  };
  return <form {...others} onSubmit={submit} />;
}

/** The end of a form in a window: the way out, and the button that sends it. */
export function FormEnd({
  action,
  isSending,
  isSendable = true,
  tone = 'primary',
  onCancel,
}: {
  /** While the form is sent, and otherwise. */
  readonly action: readonly [sending: string, send: string];
  readonly isSending: boolean;
  readonly isSendable?: boolean;
  readonly tone?: 'primary' | 'danger' | undefined;
  readonly onCancel: () => void;
}) {
  return (
    <p class="row">
      <Button onClick={onCancel}>Cancel</Button>
      <button type="submit" class={tone} disabled={isSending || !isSendable}>
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

/** Icons on a grid of 16, drawn with strokes of one width. */
const SHAPES = {
  overview: 'M2.5 13.5v-5h3v5zM6.5 13.5v-11h3v11zM10.5 13.5v-8h3v8z',
  audit: 'M3 3.5h10M3 8h10M3 12.5h6',
  approvals: 'M8 1.5a6.5 6.5 0 1 0 6.5 6.5M5.5 8l2 2 6-6.5',
  rules: 'M2.5 4h6M11 4h2.5M2.5 8h2M7 8h6.5M2.5 12h7M12 12h1.5M9.75 2.5v3M5.75 6.5v3M10.75 10.5v3',
  firewall: 'M8 1.5l5.5 2v4c0 3.5-2.3 5.8-5.5 7-3.2-1.2-5.5-3.5-5.5-7v-4z',
  output: 'M2.5 3h11v10h-11zM5 6.5l2 1.5-2 1.5M8.5 10H11',
  sandbox: 'M6 1.5h4M6.5 1.5v4.5l-4 7a1 1 0 0 0 .9 1.5h9.2a1 1 0 0 0 .9-1.5l-4-7V1.5M4.5 10.5h7',
  settings: 'M2 5h7M12 5h2M2 11h2M7 11h7M10.5 3.2v3.6M5.5 9.2v3.6',
  events: 'M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4zM6.5 13.5a1.6 1.6 0 0 0 3 0',
  review: 'M3 14V2.5M3 3h9.5l-2 3 2 3H3',
  holds: 'M4 7h8v7H4zM5.5 7V4.5a2.5 2.5 0 0 1 5 0V7',
  freeze: 'M8 1.5v13M2.4 4.75l11.2 6.5M13.6 4.75L2.4 11.25',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5l3.5 3.5',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  next: 'M6 3l5 5-5 5',
  previous: 'M10 3L5 8l5 5',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  reload: 'M13.5 8A5.5 5.5 0 1 1 11.5 3.8M13.5 1.5v3h-3',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
