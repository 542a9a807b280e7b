import { useEffect, useState } from 'preact/hooks';
import type { CallRequest, TryScreenData } from '#client/index.js';
import { MODE_NAMES } from '#contracts/common/control-mode.js';
import { href } from '../../data/page.js';
import { useTrial } from '../../data/requests.js';
import { client } from '../../data/session.js';
import { cut } from '../../text/format.js';
import { announceState } from '../../ui/announcer.js';
import { asChoices, Button, Fact, Select, typed } from '../../ui/controls.js';
import { isJudgement, Judgements, MarkedText } from '../../ui/marked-text.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { Empty, ErrorBox, Loaded } from '../../ui/screen.js';
import { Status } from '../../ui/values.js';
import { objectOf, useSettings, type Values } from '../settings/settings-data.js';
import { Backtest, CandidateVerdict } from '../settings/trials.js';
import { EXAMPLES, STEPS, verdictOf } from './sentences.js';

interface Props {
  readonly screened: CallRequest<'try.screen'>['body'];
}

/** The verdict of the input rules on a text. */
export function PromptTrial({ screened, onExample }: Props & { readonly onExample: (text: string) => void }) {
  const { prompt, ...source } = screened;
  const { answer, error, retry } = useTrial(
    prompt,
    source,
    async (signal) => (await client.call('try.screen', { body: screened, signal })).data,
  );
  if (error !== undefined) return <ErrorBox error={error} retry={retry} hasFields />;
  if (answer !== null) return <Verdict screened={{ ...source, prompt: answer.text }} data={answer.data} />;
  return (
    <Empty title="Type or paste a prompt.">
      <p>The verdict, the places that matched and what the rules read appear here.</p>
      <p class="row examples">
        {EXAMPLES.map(([name, example]) => (
          <Button key={name} onClick={() => onExample(example)}>
            {name}
          </Button>
        ))}
      </p>
    </Empty>
  );
}

interface Judged extends Props {
  readonly data: TryScreenData;
}

function Verdict({ screened, data }: Judged) {
  const { rule_id: rule, refusal_message: refusal } = data;
  const [tone, title, meaning] = verdictOf(data, screened.origin === undefined);
  useEffect(() => announceState(`${title}.`), [title, rule]);
  return (
    <div class="stack">
      <section class="card">
        <h2>Verdict</h2>
        <p class="row">
          <Status tone={tone}>{title}</Status>
          {rule !== null && (
            <code>
              <NameText text={rule} />
            </code>
          )}
        </p>
        <p>{meaning}</p>
        <dl class="facts">
          {refusal !== null && (
            <Fact name="Refusal">
              <PlainText text={refusal} />
            </Fact>
          )}
          <Fact name="Ruleset">
            <code>{data.ruleset_version}</code>
          </Fact>
        </dl>
        {data.errored_screeners.map(({ id, reason }) => (
          <p key={id} class="notice blocked">
            <PlainText text={`${id} failed: ${reason}`} />
          </p>
        ))}
      </section>
      <Matches screened={screened} data={data} />
      <section class="card">
        <h2>What the rules read</h2>
        {data.normalization_steps.length === 0 ? (
          <p class="muted">Normalization changed nothing.</p>
        ) : (
          <ol class="steps">
            {data.normalization_steps.map((step) => (
              <li key={step}>
                <code>{step}</code> {STEPS[step]}
              </li>
            ))}
          </ol>
        )}
        <MarkedText text={data.normalized} marks={[]} />
        <p class="small muted">
          Rules also read decoded passages, such as base64. A match in one marks the whole passage above.
        </p>
      </section>
      <Candidate screened={screened} data={data} />
    </div>
  );
}

function Matches({ screened: { prompt }, data: { matched_rules: all } }: Judged) {
  const matched = all.filter((match) => !isJudgement(match));
  const marks = matched.map(({ rule_id: label, span, exception }) => ({ label, span, isQuiet: exception }));
  return (
    <section class="card">
      <h2>Where it matched</h2>
      <MarkedText text={prompt} marks={marks} />
      <Judgements matches={all} />
      {matched.length === 0 && <p class="muted">No rule matched.</p>}
      {matched.length > 0 && (
        <ol class="matches">
          {matched.map(({ rule_id: rule, span: [start, end], text, exception, mentioned }, index) => (
            <li key={`${rule} ${start}`}>
              <span class="number">{index + 1}</span>
              <div>
                <p class="row">
                  <a href={href('/rules', { rule })}>
                    <NameText text={rule} />
                  </a>
                  <span class="small muted">
                    bytes {start} to {end}
                  </span>
                  {exception === true && <span class="tag">in an exception</span>}
                  {mentioned !== undefined && <span class="tag">only mentioned ({mentioned})</span>}
                </p>
                <p class="small break">
                  <PlainText text={cut(text, 200)} />
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** Tries changed rules on the text and on recorded prompts. Saving is done on the settings screen. */
function Candidate(props: Judged) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Against candidate rules</h2>
      </summary>
      {isOpen && <CandidateForm {...props} />}
    </details>
  );
}

function CandidateForm({ screened, data: { matched_rules: matches } }: Judged) {
  const settings = useSettings();
  const [id, setId] = useState('candidate');
  const [pattern, setPattern] = useState('');
  const [modes, setModes] = useState<Readonly<Record<string, string>>>({});
  const matched = matches.filter((match) => !isJudgement(match)).map(({ rule_id: rule }) => rule);
  return (
    <Loaded resource={settings} lines={3}>
      {({ values }) => (
        <div class="stack">
          <p class="muted">
            Judges the text, and recorded prompts, with the rules below instead of those in force. Nothing is
            saved.
          </p>
          <div class="candidate">
            <label class="field">
              Rule id
              <input class="mono" value={id} onChange={typed((text) => setId(text.trim()))} />
            </label>
            <label class="field">
              Pattern of this rule
              <input
                class="mono"
                spellcheck={false}
                placeholder="/free gift cards?/i"
                value={pattern}
                onChange={typed((text) => setPattern(text.trim()))}
              />
            </label>
          </div>
          {[...new Set(matched)].map((rule) => (
            <label key={rule} class="split">
              <span class="break">
                Mode of <PlainText text={rule} />
              </span>
              <Select
                value={modes[rule] ?? ''}
                choices={[['', 'as it is'], ...asChoices(MODE_NAMES)]}
                onChoose={(mode) => setModes({ ...modes, [rule]: mode })}
              />
            </label>
          ))}
          <Effect
            screened={screened}
            candidate={{
              ...changed(values, 'input_screen.patterns', { [id]: pattern }),
              ...changed(values, 'input_screen.rule_modes', modes),
            }}
          />
        </div>
      )}
    </Loaded>
  );
}

/** The value of a setting with other entries; nothing where all of them are empty. */
function changed(values: Values, key: string, entries: Readonly<Record<string, string>>): Values {
  const given = Object.entries(entries).filter(([, value]) => value !== '');
  return given.length === 0 ? {} : { [key]: { ...objectOf(values[key]), ...Object.fromEntries(given) } };
}

function Effect({ screened, candidate }: Props & { readonly candidate: Values }) {
  if (Object.keys(candidate).length === 0)
    return <p class="muted">Enter a pattern, or choose another mode for a rule that matched.</p>;
  return (
    <>
      <h3>This text</h3>
      <CandidateVerdict screened={{ ...screened, candidate }} />
      <h3>What changes for recorded prompts</h3>
      <Backtest changes={candidate} />
    </>
  );
}
