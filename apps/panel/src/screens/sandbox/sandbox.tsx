/** Judges a text with the live rules. Nothing is recorded. */
import { signal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { TrySanitizeData } from '#client/index.js';
import { type Rendering, RENDERINGS } from '#contracts/output/output.js';
import { SCREENED_ORIGINS } from '#contracts/screening/screening.js';
import { href, useAddress } from '../../data/page.js';
import { useTrial } from '../../data/requests.js';
import { client } from '../../data/session.js';
import { HANDED_OVER, keep, recall } from '../../data/storage.js';
import { bytes, plural } from '../../text/format.js';
import { announceState } from '../../ui/announcer.js';
import { Button, CopyButton, Select, Tabs, typed } from '../../ui/controls.js';
import { byteSlices } from '../../ui/marked-text.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty, ErrorBox, Screen } from '../../ui/screen.js';
import { Status } from '../../ui/values.js';
import { BeforeAfter, findingLabel, KIND_LABELS } from '../output/kinds.js';
import { PromptTrial } from './prompt-trial.js';
import { ORIGINS, RENDERED } from './sentences.js';

/** Kept while other screens are open, and nowhere stored. */
const text = signal('');

export default function Sandbox() {
  const { query } = useAddress();
  const isOutput = query['tab'] === 'output';
  const { application, rendering } = query;
  const origin = SCREENED_ORIGINS.find((name) => name === query['origin']) ?? 'prompt';
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
      <Tabs
        label="Kind of text"
        tabs={[
          [href('/sandbox', { ...query, tab: undefined }), 'Input of the model', !isOutput],
          [href('/sandbox', { ...query, tab: 'output' }), 'Output of the model', isOutput],
        ]}
      />
      <div class="sandbox">
        <div class="card">
          <label class="field" for={id}>
            {isOutput ? 'Text that the model wrote' : ORIGINS[origin].title}
          </label>
          <textarea
            id={id}
            dir="auto"
            rows={9}
            spellcheck={false}
            value={text.value}
            onInput={typed((given) => (text.value = given))}
          />
          <div class="split">
            <Options isOutput={isOutput} origin={origin} />
            <span class="row">
              <span class="small muted number">{bytes(text.value)}</span>
              <Button disabled={text.value === ''} onClick={() => (text.value = '')}>
                Clear
              </Button>
            </span>
          </div>
        </div>
        {isOutput ? (
          <OutputTrial text={text.value} rendering={rendering as Rendering | undefined} />
        ) : (
          <PromptTrial
            screened={{
              prompt: text.value,
              ...(application !== undefined && { application }),
              ...(origin !== 'prompt' && { origin }),
            }}
            onExample={(example) => (text.value = example)}
          />
        )}
      </div>
    </Screen>
  );
}

/** How the text is judged. */
function Options({ isOutput, origin }: { readonly isOutput: boolean; readonly origin: string }) {
  const { query, change } = useAddress();
  const set = (members: Readonly<Record<string, string>>) => change(members, { replace: true });
  if (isOutput)
    return (
      <label class="row">
        Rendered as
        <Select
          value={query['rendering'] ?? ''}
          choices={[
            ['', 'as in the settings'],
            ...RENDERINGS.map((rendering) => [rendering, RENDERED[rendering]] as const),
          ]}
          onChoose={(rendering) => set({ rendering })}
        />
      </label>
    );
  return (
    <>
      <label class="row">
        From
        <Select
          value={origin}
          aria-description="Decides which rules apply."
          choices={SCREENED_ORIGINS.map((name) => [name, ORIGINS[name].author] as const)}
          onChoose={(name) => set({ origin: name === 'prompt' ? '' : name })}
        />
      </label>
      <label class="row">
        Application
        <input
          value={query['application'] ?? ''}
          placeholder="none"
          aria-description="Decides which exceptions apply."
          onInput={typed((application) => set({ application }))}
        />
      </label>
    </>
  );
}

function takeHandedOver(): void {
  const given = recall('session', HANDED_OVER);
  if (given === null) return;
  keep('session', HANDED_OVER, null);
  text.value = given;
}

/** The result of the output handler for a text of the model. */
function OutputTrial({
  text: written,
  rendering,
}: {
  readonly text: string;
  /** The address may name one that does not exist. The server refuses it. */
  readonly rendering: Rendering | undefined;
}) {
  const { answer, error, retry } = useTrial(written, rendering, async (until) => {
    const body = { text: written, rendering };
    return (await client.call('try.sanitize', { body, signal: until })).data;
  });
  if (error !== undefined) return <ErrorBox error={error} retry={retry} hasFields />;
  if (answer !== null) return <Sanitized {...answer} />;
  return (
    <Empty title="Type or paste an output of the model.">
      What the output handler finds in it and what a user would get appear here.
    </Empty>
  );
}

function Sanitized({ text: written, data }: { readonly text: string; readonly data: TrySanitizeData }) {
  const { findings, sanitized, kinds } = data;
  const total = plural(findings.length, 'finding');
  const before = byteSlices(
    written,
    findings.map(({ span }) => span),
  );
  const after = byteSlices(
    sanitized,
    findings.map(({ output_span: span }) => span),
  );
  useEffect(() => announceState(`${total}.`), [total]);
  return (
    <div class="stack">
      <section class="card">
        <p class="row">
          <Status tone={findings.length === 0 ? 'ok' : 'observed'}>{total}</Status>
          {(Object.keys(kinds) as (keyof typeof kinds)[])
            .filter((kind) => kinds[kind] > 0)
            .map((kind) => (
              <span key={kind} class={`key ${kind}`}>
                {KIND_LABELS[kind]} {kinds[kind]}
              </span>
            ))}
        </p>
        <BeforeAfter text={written} data={data} heads={['As written', 'As the user gets it']} heading="h2" />
      </section>
      {findings.length > 0 && (
        <section class="card">
          <h2>What was replaced</h2>
          <ol class="matches">
            {findings.map((finding, index) => (
              <li key={`${finding.detector} ${finding.span[0]}`}>
                <span class="number">{index + 1}</span>
                <div>
                  <p class="small muted">{findingLabel(finding)}</p>
                  <p class="joined">
                    <del>
                      <PlainText text={before[index] ?? ''} />
                    </del>
                    <span aria-label="became">→</span>
                    {after[index] ? (
                      <ins>
                        <PlainText text={after[index]} />
                      </ins>
                    ) : (
                      <span class="muted">removed</span>
                    )}
                  </p>
                </div>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}
