/** One recorded decision: in the drawer of the audit, and in the review. */
import type { AuditEntryData } from '#client/index.js';
import { API_URL, href, useAddress } from '../../data/page.js';
import { readRules, type Resource, useResource } from '../../data/requests.js';
import { client } from '../../data/session.js';
import { HANDED_OVER, keep } from '../../data/storage.js';
import { microseconds } from '../../text/format.js';
import { CONTROL_WORDS, spaced } from '../../text/names.js';
import { RecordedArguments } from '../../ui/arguments.js';
import { Button, CopyButton, Fact } from '../../ui/controls.js';
import { isJudgement, Judgements, type Mark, MarkedText } from '../../ui/marked-text.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { ModeStatus, OutcomeStatus, Time } from '../../ui/values.js';
import { ExceptionWizard } from './exception.js';
import { type FilterName, FILTERS, NAMES } from './filters.js';
import { hasText, headlineOf, runText, STORAGE, type Wordings, whyOf } from './sentences.js';
import { Verdict } from './verdict.js';

interface OfEntry {
  readonly entry: AuditEntryData;
}

/** An entry that was read in advance, until a screen takes it. */
let ahead: { readonly id: number; readonly reading: Promise<AuditEntryData> } | null = null;

/** Reads the entry that is probably opened next. */
export function readAhead(id: number): void {
  if (ahead?.id === id) return;
  const reading = loadEntry(id);
  // The screen that takes it handles the failure.
  reading.catch(() => undefined);
  ahead = { id, reading };
}

export function useEntry(id: number): Resource<AuditEntryData> {
  return useResource(`entry ${id}`, (signal) => {
    const early = ahead;
    if (early?.id !== id) return loadEntry(id, signal);
    ahead = null;
    return early.reading;
  });
}

async function loadEntry(id: number, signal?: AbortSignal): Promise<AuditEntryData> {
  return (await client.call('audit.show', { params: { id }, signal })).data.entry;
}

let rules: ReturnType<typeof readRules> | undefined;

/** The descriptions of the built-in rules, read once. Those of patterns of operators say nothing. */
function useWordings(): Wordings {
  const { data } = useResource('rules', () => {
    rules ??= readRules();
    rules.catch(() => (rules = undefined));
    return rules;
  });
  const ofProduct = data?.rules.filter(({ source }) => source === 'built_in') ?? [];
  return new Map(ofProduct.map(({ id, description }) => [id, description]));
}

/** One decision with everything that was recorded about it. Without `onReviewed` there are no verdicts and no exception. */
export function EntryDetail({ entry, onReviewed }: OfEntry & { readonly onReviewed?: () => void }) {
  const words = useWordings();
  const headline = headlineOf(entry, words);
  return (
    <div class="stack">
      {onReviewed !== undefined && <Verdict entry={entry} onReviewed={onReviewed} />}
      <h3>
        <NameText text={headline} />
      </h3>
      <p class="row">
        <OutcomeStatus entry={entry} />
        <span>{CONTROL_WORDS[entry.control].label}</span>
        <ModeStatus mode={entry.mode} />
        <Time at={entry.occurred_at} isAlone />
        {entry.rule_id !== null && (
          <a class="small mono" href={href('/audit', { rule_id: entry.rule_id })}>
            <NameText text={entry.rule_id} />
          </a>
        )}
      </p>
      {entry.approval_step === null && <p>{whyOf(entry)}</p>}
      <Content entry={entry} words={words} headline={headline} />
      <p class="muted small">{STORAGE[entry.prompt_storage]}</p>
      <div class="row actions">
        {onReviewed !== undefined && entry.control === 'input_screen' && entry.rule_id !== null && (
          <ExceptionWizard key={entry.id} entry={entry} words={words} />
        )}
        {entry.approval_id !== null && (
          <a class="button primary" href={href(`/approvals/${entry.approval_id}`)}>
            Open approval {entry.approval_id}
          </a>
        )}
        <MoreActions entry={entry} />
      </div>
      <Facts entry={entry} />
    </div>
  );
}

function Content({
  entry,
  words,
  headline,
}: OfEntry & { readonly words: Wordings; readonly headline: string }) {
  if (entry.origin === 'tool_call')
    return <RecordedArguments call={entry} violations={entry.violations ?? {}} />;
  if (!hasText(entry)) return null;
  const marks = marksOf(entry, words);
  return (
    <>
      <MarkedText text={entry.prompt} marks={marks} />
      {marks.some(({ label, isQuiet }) => label !== headline || isQuiet) && (
        <ol class="findings">
          {marks.map(({ label, isQuiet }, index) => (
            <li key={index}>
              <NameText text={label} />
              {isQuiet === true && <span class="muted"> (in an exception, so it does not count)</span>}
            </li>
          ))}
        </ol>
      )}
      <Judgements matches={entry.matched_rules} />
      {entry.classifier_words.length > 0 && (
        <p class="small">
          Words that raised the score most:{' '}
          <PlainText text={entry.classifier_words.map(({ word }) => word).join(', ')} />
        </p>
      )}
    </>
  );
}

function marksOf({ matched_rules: matches, findings }: AuditEntryData, words: Wordings): readonly Mark[] {
  return [
    ...matches.flatMap((match) => {
      const { rule_id: rule, span, exception, mentioned } = match;
      const name = words.get(rule) ?? rule;
      const label = mentioned === undefined ? name : `${name} (only mentioned: ${mentioned})`;
      return span === null || isJudgement(match) ? [] : [{ span, label, isQuiet: exception }];
    }),
    ...findings.flatMap(({ kind, detector, span }) =>
      span === null ? [] : [{ span, label: kind === detector ? kind : `${kind}: ${detector}` }],
    ),
  ];
}

/** Filters whose values an entry shows elsewhere. */
const ELSEWHERE: readonly string[] = ['control', 'outcome', 'origin', 'rule_id'] satisfies FilterName[];

/** The texts of an entry that are filters of the list, too. */
function linksOf(entry: Readonly<Record<string, unknown>>) {
  return FILTERS.flatMap((name) => {
    const value = entry[name];
    return typeof value === 'string' && !ELSEWHERE.includes(name) ? [[name, value] as const] : [];
  });
}

function Facts({ entry }: OfEntry) {
  const { not_judged_rule_ids: notJudged } = entry;
  return (
    <dl class="facts">
      {linksOf(entry).map(([filter, value]) => (
        <Fact key={filter} name={NAMES[filter]}>
          <a href={href('/audit', { [filter]: value })}>
            <NameText text={value} />
          </a>
        </Fact>
      ))}
      {entry.run !== null && (
        <Fact name="Before the call">
          <PlainText text={runText(entry.run)} />
        </Fact>
      )}
      <Fact name="Origin">{spaced(entry.origin)}</Fact>
      {entry.rendering !== null && <Fact name="Rendering">{entry.rendering}</Fact>}
      {notJudged.length > 0 && (
        <Fact name="Not judged by">
          <PlainText text={notJudged.join(', ')} />
          {notJudged.includes('rules') && (
            <p class="muted small">The built-in rules do not read the language of this text.</p>
          )}
        </Fact>
      )}
      <Fact name="Duration">{microseconds(entry.duration_us)}</Fact>
    </dl>
  );
}

/** What else can be done with an entry. Nothing here changes it. */
function MoreActions({ entry }: OfEntry) {
  const { open } = useAddress();
  const isOutput = entry.control === 'output_handler';
  const address = new URL(`${API_URL}/audit/${entry.id}`, location.origin).href;
  // The text goes to the sandbox in the storage of this tab, so that it is in no address.
  const tryAgain = () => {
    keep('session', HANDED_OVER, entry.prompt);
    open('/sandbox', isOutput ? { tab: 'output' } : {});
  };
  return (
    <details class="more">
      <summary class="button">More</summary>
      {(isOutput || entry.control === 'input_screen') && hasText(entry) && (
        <Button onClick={tryAgain}>Open in the sandbox</Button>
      )}
      {entry.control === 'input_screen' && entry.rule_id !== null && (
        <a class="button" href={href('/rules', { rule: entry.rule_id })}>
          Open the rule
        </a>
      )}
      <CopyButton text={JSON.stringify(entry, null, 2)} label="Copy as JSON" />
      <CopyButton text={`curl -H "Authorization: Bearer $TOKEN" '${address}'`} label="Copy as curl" />
    </details>
  );
}
