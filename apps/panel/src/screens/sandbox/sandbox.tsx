import { signal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { useAddress } from '../../data/address.js';
import { href } from '../../data/page.js';
import { keep, recall } from '../../data/storage.js';
import { bytes } from '../../text/format.js';
import { CopyButton } from '../../ui/buttons.js';
import { Screen } from '../../ui/screen.js';
import { OutputTrial } from './output-trial.js';
import { PromptTrial } from './prompt-trial.js';

/** Another screen stores a text here before it opens the sandbox, because an address must not contain it. */
const HANDED_OVER = 'guardrails-sandbox-text';

/** Kept while other screens are open, and nowhere stored. */
const text = signal('');

const ORIGINS = ['prompt', 'document', 'tool_result'] as const;

const NAMES = { prompt: 'a user', document: 'a document', tool_result: 'a tool' } as const;

const WRITTEN = {
  prompt: 'Text that a user wrote',
  document: 'Text of a document',
  tool_result: 'Result of a tool',
} as const;

/** Judges a text with the live rules. Nothing is recorded. */
export default function Sandbox() {
  const { query, change } = useAddress();
  const isOutput = query['tab'] === 'output';
  const origin = ORIGINS.find((name) => name === query['origin']) ?? 'prompt';
  const id = useId();
  useEffect(takeHandedOver, []);
  return (
    <Screen
      title="Sandbox"
      lead="What the rules do with a text, as you type. Nothing is recorded or counted."
      actions={
        <CopyButton
          text={`${location.origin}${href('/sandbox', query)}`}
          label="Copy a link without the text"
        />
      }
    >
      <nav class="tabs" aria-label="Kind of text">
        <a href={href('/sandbox', { ...query, tab: undefined })} aria-current={isOutput ? undefined : 'page'}>
          Input of the model
        </a>
        <a href={href('/sandbox', { ...query, tab: 'output' })} aria-current={isOutput ? 'page' : undefined}>
          Output of the model
        </a>
      </nav>
      <div class="sandbox">
        <div class="card">
          <label class="field" for={id}>
            {isOutput ? 'Text that the model wrote' : WRITTEN[origin]}
          </label>
          <textarea
            id={id}
            dir="auto"
            rows={9}
            spellcheck={false}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
          <div class="split">
            {isOutput ? (
              <label class="row">
                Rendered as
                <select
                  value={query['rendering'] ?? ''}
                  onChange={(event) =>
                    change({ rendering: event.currentTarget.value || undefined }, { replace: true })
                  }
                >
                  <option value="">as in the settings</option>
                  <option value="markdown">Markdown</option>
                  <option value="any">anything (HTML and Markdown)</option>
                  <option value="text">plain text</option>
                  <option value="slack">a message of Slack</option>
                  <option value="terminal">a line of a terminal</option>
                </select>
              </label>
            ) : (
              <>
                <label class="row">
                  From
                  <select
                    value={origin}
                    aria-description="Decides which rules apply."
                    onChange={({ currentTarget: { value } }) =>
                      change({ origin: value === 'prompt' ? undefined : value }, { replace: true })
                    }
                  >
                    {ORIGINS.map((name) => (
                      <option key={name} value={name}>
                        {NAMES[name]}
                      </option>
                    ))}
                  </select>
                </label>
                <label class="row">
                  Application
                  <input
                    value={query['application'] ?? ''}
                    placeholder="none"
                    aria-description="Decides which exceptions apply."
                    onChange={(event) =>
                      change(
                        { application: event.currentTarget.value.trim() || undefined },
                        { replace: true },
                      )
                    }
                  />
                </label>
              </>
            )}
            <span class="row">
              <span class="small muted number">{bytes(new TextEncoder().encode(text.value).length)}</span>
              <button type="button" disabled={text.value === ''} onClick={() => (text.value = '')}>
                Clear
              </button>
            </span>
          </div>
        </div>
        {isOutput ? (
          <OutputTrial text={text.value} rendering={query['rendering']} />
        ) : (
          <PromptTrial
            text={text.value}
            onExample={(example) => (text.value = example)}
            source={{
              ...(query['application'] !== undefined && { application: query['application'] }),
              ...(origin !== 'prompt' && { origin }),
            }}
          />
        )}
      </div>
    </Screen>
  );
}

function takeHandedOver(): void {
  const given = recall('session', HANDED_OVER);
  if (given === null) return;
  keep('session', HANDED_OVER, null);
  text.value = given;
}
