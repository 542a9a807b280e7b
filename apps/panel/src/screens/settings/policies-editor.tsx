import { useState } from 'preact/hooks';
import { PlainText } from '../../ui/plain-text.js';
import type { EditorProps } from './editors.js';
import { PolicyTrial } from './policy-trial.js';
import { isObject } from './settings-data.js';
import { useTypedText } from './typed-text.js';

/** Policies as a list to read and as JSON to edit. The text stays as it was typed. */
export function PoliciesEditor({
  value,
  labelledBy,
  describedBy,
  isDisabled,
  isInvalid,
  onChange,
}: EditorProps) {
  const [text, setText] = useTypedText(value, parsed, formatted);
  const [isTried, setTried] = useState(false);
  return (
    <div class="stack-s">
      {isObject(value) && <PolicyList policies={value} />}
      <textarea
        class="mono"
        rows={Math.min(24, Math.max(6, text.split('\n').length))}
        spellcheck={false}
        value={text}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        disabled={isDisabled}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          onChange(parsed(currentTarget.value));
        }}
      />
      <p>
        <button
          type="button"
          disabled={!isObject(value)}
          aria-expanded={isTried}
          onClick={() => setTried(!isTried)}
        >
          What would it have changed?
        </button>
      </p>
      {isTried && isObject(value) && <PolicyTrial policies={value} />}
    </div>
  );
}

function PolicyList({ policies }: { readonly policies: Readonly<Record<string, unknown>> }) {
  return (
    <ul class="stack-s">
      {Object.entries(policies).map(([tool, policy]) => (
        <li key={tool}>
          <strong>
            <PlainText text={tool} />
          </strong>
          <ol class="policy-rules">
            {[...parts(policy, 'rules'), ...parts(policy, 'limits')].map((part, index) => (
              <li key={index}>
                <PlainText text={sentenceOf(part)} />
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ul>
  );
}

function parts(policy: unknown, name: string): readonly unknown[] {
  const found = isObject(policy) ? policy[name] : undefined;
  return Array.isArray(found) ? found : [];
}

/** `when amount lte 50: allow`. */
function sentenceOf(part: unknown): string {
  if (!isObject(part)) return JSON.stringify(part);
  const { require, when, ...others } = part;
  const conditions = isObject(when)
    ? Object.entries(when).map(([name, test]) => `${name} ${plain(test)}`)
    : [];
  const more = Object.entries(others).map(([name, value]) => `${name} ${plain(value)}`);
  return `${conditions.length === 0 ? 'always' : `when ${conditions.join(' and ')}`}: ${plain(require)}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

function plain(value: unknown): string {
  return typeof value === 'string'
    ? value
    : JSON.stringify(value).replaceAll(/[{}"]/g, '').replaceAll(':', ' ');
}

function formatted(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : text;
  } catch {
    return text;
  }
}
