/** The palette: opens screens, rules, settings and records by typing. */
import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { CONTROL_KEYS, MODE_NAMES } from '#contracts/common/control-mode.js';
import { type Query, useAddress } from '../data/page.js';
import { readRules } from '../data/requests.js';
import { client, noteFailure, signedIn } from '../data/session.js';
import { CONTROL_WORDS } from '../text/names.js';
import { Dialog } from '../ui/dialog.js';
import { SCREENS } from './screens.js';

interface Target {
  readonly label: string;
  readonly hint: string;
  readonly path: string;
  readonly query?: Query;
  /** In place of opening a screen. */
  readonly act?: () => void;
}

const ACTIONS: readonly Target[] = [
  { label: 'Refresh', hint: 'action', path: '', act: signedIn },
  ...CONTROL_KEYS.flatMap((key) =>
    MODE_NAMES.map((mode) => ({
      label: `Set ${CONTROL_WORDS[key].label} to ${mode}`,
      hint: 'action',
      path: '/settings',
      query: { [`draft.modes.${key}`]: mode },
    })),
  ),
];

/** Rules and settings. Loaded when the palette opens first, and kept until the page is loaded again. */
const named = signal<readonly Target[] | null>(null);

async function loadNamed(): Promise<void> {
  if (named.value !== null) return;
  const [rules, settings] = await Promise.all([readRules(), client.call('settings.show')]);
  named.value = [
    ...settings.data.schema.map(({ key }) => ({
      label: key,
      hint: 'setting',
      path: '/settings',
      query: { key },
    })),
    ...rules.rules.map(({ id }) => ({ label: id, hint: 'rule', path: '/rules', query: { rule: id } })),
  ];
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { open } = useAddress();
  const [text, setText] = useState('');
  const [chosen, choose] = useState(0);
  useEffect(() => {
    loadNamed().catch(noteFailure);
  }, []);
  const targets = useMemo(() => targetsFor(text.trim(), named.value ?? []), [text, named.value]);
  const go = (target: Target | undefined) => {
    if (target === undefined) return;
    onClose();
    if (target.act === undefined) open(target.path, target.query);
    else target.act();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') choose(Math.min(chosen + 1, targets.length - 1));
    else if (event.key === 'ArrowUp') choose(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter') go(targets[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        type="search"
        autofocus
        class="palette-input"
        aria-label="Screen, id or setting"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-targets"
        aria-activedescendant={targets.length > 0 ? `palette-${chosen}` : undefined}
        placeholder="Overview, 1042, a rule …"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          choose(0);
        }}
        onKeyDown={onKey}
      />
      <ul id="palette-targets" class="palette-targets" role="listbox" aria-label="Targets">
        {targets.map((target, index) => (
          <li
            key={`${target.path} ${target.label}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => go(target)}
          >
            <span>{target.label}</span>
            <span class="muted">{target.hint}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const MAX_NAMED = 8;

function targetsFor(text: string, others: readonly Target[]): readonly Target[] {
  const wanted = text.toLowerCase();
  const matches = ({ label }: Target) => label.toLowerCase().includes(wanted);
  const screens: readonly Target[] = SCREENS.map(({ path, label, key }) => ({
    path,
    label,
    hint: `g ${key}`,
  })).filter(matches);
  if (text === '') return screens;
  const isNumber = /^\d{1,15}$/.test(text);
  return [
    ...(isNumber
      ? [
          { label: `Audit entry ${text}`, hint: 'audit', path: `/audit/${text}` },
          { label: `Approval ${text}`, hint: 'approval', path: `/approvals/${text}` },
        ]
      : []),
    ...screens,
    ...[...ACTIONS, ...others].filter(matches).slice(0, MAX_NAMED),
    { label: `Runs of principal “${text}”`, hint: 'audit', path: '/audit', query: { principal_id: text } },
    { label: `“${text}” in texts`, hint: 'audit', path: '/audit', query: { q: text } },
  ];
}
