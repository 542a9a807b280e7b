import { useState } from 'preact/hooks';
import { PlainText } from '../../ui/plain-text.js';
import { Loaded } from '../../ui/states.js';
import { Backtest } from '../settings/backtest.js';
import { CandidateVerdict, type TextSource } from '../settings/text-trial.js';
import { useSettings } from '../settings/loading.js';
import { isObject } from '../settings/settings-data.js';

const MODES = ['enforce', 'monitor', 'off'] as const;

interface Props {
  readonly text: string;
  readonly source: TextSource;
  /** Rules that matched the text. */
  readonly rules: readonly string[];
}

/** Tries changed rules on the text and on recorded prompts. Saving is done on the settings screen. */
export function Candidate(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Against candidate rules</h2>
      </summary>
      {isOpen && <Form {...props} />}
    </details>
  );
}

function Form({ text, source, rules }: Props) {
  const settings = useSettings();
  const [id, setId] = useState('candidate');
  const [pattern, setPattern] = useState('');
  const [modes, setModes] = useState<Readonly<Record<string, string>>>({});
  return (
    <Loaded resource={settings} lines={3}>
      {({ values }) => {
        const candidate = {
          ...(pattern !== '' && {
            'input_screen.patterns': { ...objectAt(values, 'input_screen.patterns'), [id]: pattern },
          }),
          ...(Object.keys(modes).length > 0 && {
            'input_screen.rule_modes': { ...objectAt(values, 'input_screen.rule_modes'), ...modes },
          }),
        };
        return (
          <div class="stack">
            <p class="muted">
              Judges the text, and recorded prompts, with the rules below instead of those in force. Nothing
              is saved.
            </p>
            <div class="candidate">
              <label class="field">
                Rule id
                <input
                  class="mono"
                  value={id}
                  onChange={(event) => setId(event.currentTarget.value.trim())}
                />
              </label>
              <label class="field">
                Pattern of this rule
                <input
                  class="mono"
                  spellcheck={false}
                  placeholder="/free gift cards?/i"
                  value={pattern}
                  onChange={(event) => setPattern(event.currentTarget.value.trim())}
                />
              </label>
            </div>
            {rules.map((rule) => (
              <label key={rule} class="split">
                <span class="break">
                  Mode of <PlainText text={rule} />
                </span>
                <select
                  value={modes[rule] ?? ''}
                  onChange={(event) => setModes(withMode(modes, rule, event.currentTarget.value))}
                >
                  <option value="">as it is</option>
                  {MODES.map((mode) => (
                    <option key={mode} value={mode}>
                      {mode}
                    </option>
                  ))}
                </select>
              </label>
            ))}
            {Object.keys(candidate).length === 0 ? (
              <p class="muted">Enter a pattern, or choose another mode for a rule that matched.</p>
            ) : (
              <>
                <h3>This text</h3>
                <CandidateVerdict prompt={text} candidate={candidate} source={source} />
                <h3>What changes for recorded prompts</h3>
                <Backtest changes={candidate} />
              </>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function objectAt(values: Readonly<Record<string, unknown>>, key: string): object {
  const value = values[key];
  return isObject(value) ? value : {};
}

function withMode(
  modes: Readonly<Record<string, string>>,
  rule: string,
  mode: string,
): Readonly<Record<string, string>> {
  const { [rule]: _before, ...others } = modes;
  return mode === '' ? others : { ...others, [rule]: mode };
}
