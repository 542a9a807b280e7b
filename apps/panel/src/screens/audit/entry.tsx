/** One recorded decision: in the drawer of the audit, and in the review. */
import { useState } from 'preact/hooks';
import type { AuditEntryData } from '#client/index.js';
import type { ReviewVerdict } from '#contracts/audit/review.store.js';
import { API_URL, href, useAddress } from '../../data/page.js';
import { type Resource, useAnswer, useResource, useWrite } from '../../data/requests.js';
import { client, useMay } from '../../data/session.js';
import { HANDED_OVER, keep } from '../../data/storage.js';
import { bytes, count, DAY_MS, microseconds } from '../../text/format.js';
import { CONTROL_WORDS, spaced } from '../../text/names.js';
import { announce } from '../../ui/announcer.js';
import { FaultyArguments } from '../../ui/arguments.js';
import { Button, CopyButton, Fact, typed } from '../../ui/controls.js';
import { isJudgement, Judgements, type Mark, MarkedText } from '../../ui/marked-text.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { rowAt } from '../../ui/rows.js';
import { ErrorBox, Loaded } from '../../ui/screen.js';
import { exactTime, ModeStatus, OutcomeStatus, Status, Time } from '../../ui/values.js';
import { change } from '../settings/draft.js';
import { loadedFrom } from '../settings/settings-data.js';
import { type FilterName, FILTERS, NAMES } from './filters.js';
import { hasText, runText, STORAGE, VERDICT_NAMES, VERDICTS, whyOf } from './sentences.js';

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

/** One decision with everything that was recorded about it. Without `onReviewed` there is no form. */
export function EntryDetail({ entry, onReviewed }: OfEntry & { readonly onReviewed?: () => void }) {
  return (
    <div class="stack">
      <p class="row">
        <OutcomeStatus entry={entry} />
        <span>{CONTROL_WORDS[entry.control].label}</span>
        <ModeStatus mode={entry.mode} />
        <Time at={entry.occurred_at} isAlone />
      </p>
      <p>
        <strong>
          <NameText text={whyOf(entry)} />
        </strong>
      </p>
      <Content entry={entry} />
      <p class="muted small">{STORAGE[entry.prompt_storage]}</p>
      <EntryActions entry={entry} />
      {onReviewed !== undefined && <ReviewForm entry={entry} onReviewed={onReviewed} />}
      <Facts entry={entry} />
      {entry.run_id !== null && <Run runId={entry.run_id} current={entry.id} />}
    </div>
  );
}

function Content({ entry }: OfEntry) {
  if (entry.control === 'tool_firewall')
    return <FaultyArguments call={entry} violations={entry.violations ?? {}} />;
  if (!hasText(entry)) return null;
  const marks = marksOf(entry);
  return (
    <>
      <MarkedText text={entry.prompt} marks={marks} />
      {marks.length > 0 && (
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
          Words with the highest weights in the classifier:{' '}
          <PlainText
            text={entry.classifier_words.map(({ word, weight }) => `${word} (+${count(weight)})`).join(', ')}
          />
        </p>
      )}
    </>
  );
}

function marksOf({ matched_rules: matches, findings }: AuditEntryData): readonly Mark[] {
  return [
    ...matches.flatMap((match) => {
      const { rule_id: rule, span, exception, mentioned } = match;
      const label = mentioned === undefined ? rule : `${rule} (only mentioned: ${mentioned})`;
      return span === null || isJudgement(match) ? [] : [{ span, label, isQuiet: exception }];
    }),
    ...findings.flatMap(({ kind, detector, span }) =>
      span === null ? [] : [{ span, label: kind === detector ? kind : `${kind}: ${detector}` }],
    ),
  ];
}

/** Filters whose values an entry shows elsewhere. */
const ELSEWHERE: readonly string[] = ['control', 'outcome', 'origin', 'run_id'] satisfies FilterName[];

/** The texts of an entry that are filters of the list, too. */
function linksOf(entry: Readonly<Record<string, unknown>>) {
  return FILTERS.flatMap((name) => {
    const value = entry[name];
    return typeof value === 'string' && !ELSEWHERE.includes(name) ? [[name, value] as const] : [];
  });
}

function Facts({ entry }: OfEntry) {
  const { approval_id: approval, not_judged_rule_ids: notJudged } = entry;
  return (
    <dl class="facts">
      {linksOf(entry).map(([filter, value]) => (
        <Fact key={filter} name={NAMES[filter]}>
          <a href={href('/audit', { [filter]: value })}>
            <NameText text={value} />
          </a>
        </Fact>
      ))}
      {approval !== null && (
        <Fact name="Approval">
          <a href={href(`/approvals/${approval}`)}>Approval {approval}, with who decided it</a>
        </Fact>
      )}
      {entry.run !== null && (
        <Fact name="Before the call">
          <PlainText text={runText(entry.run)} />
        </Fact>
      )}
      <Fact name="Recorded">{exactTime(entry.occurred_at)}</Fact>
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
      <Fact name="Length">
        {count(entry.prompt_length)} characters, {bytes(entry.prompt)} stored
      </Fact>
      <Fact name="Duration">{microseconds(entry.duration_us)}</Fact>
    </dl>
  );
}

const EXCEPTION_DAYS = 30;

/** What can be done with an entry. Nothing here changes it. */
function EntryActions({ entry }: OfEntry) {
  const { open } = useAddress();
  const isOutput = entry.control === 'output_handler';
  const address = new URL(`${API_URL}/audit/${entry.id}`, location.origin).href;
  // The text goes to the sandbox in the storage of this tab, so that it is in no address.
  const tryAgain = (): void => {
    keep('session', HANDED_OVER, entry.prompt);
    open('/sandbox', isOutput ? { tab: 'output' } : {});
  };
  return (
    <div class="row actions">
      {(isOutput || entry.control === 'input_screen') && hasText(entry) && (
        <Button onClick={tryAgain}>Open in the sandbox</Button>
      )}
      {entry.control === 'input_screen' && entry.rule_id !== null && (
        <>
          <a class="button" href={href('/rules', { rule: entry.rule_id })}>
            Open the rule
          </a>
          <Except id={entry.id} />
        </>
      )}
      <CopyButton text={JSON.stringify(entry, null, 2)} label="Copy as JSON" />
      <CopyButton text={`curl -H "Authorization: Bearer $TOKEN" '${address}'`} label="Copy as curl" />
    </div>
  );
}

/** Puts the narrowest exceptions for the matches of this entry into the draft of the settings. */
function Except({ id }: { readonly id: number }) {
  const may = useMay('settings.update');
  const { open } = useAddress();
  const { error, write } = useWrite();
  const propose = (): Promise<void> =>
    write(async () => {
      const [{ data }, settings] = await Promise.all([
        client.call('audit.exception', { params: { id } }),
        client.call('settings.show'),
      ]);
      const key = 'input_screen.exceptions';
      const loaded = loadedFrom(settings.data, settings.etag);
      const present = loaded.values[key];
      const ends = new Date(Date.now() + EXCEPTION_DAYS * DAY_MS).toISOString();
      const added = data.proposals.map(({ exception }) => ({
        ...exception,
        reason: `False alarm, entry ${id}`,
        ends_at: ends,
      }));
      change(loaded, key, [...(Array.isArray(present) ? present : []), ...added]);
      open('/settings', { key });
    });
  return (
    <>
      <Button may={may} onClick={() => void propose()}>
        Propose an exception
      </Button>
      <ErrorBox error={error} />
    </>
  );
}

/** Appends a review. Earlier ones stay; the last one counts. */
function ReviewForm({ entry, onReviewed }: OfEntry & { readonly onReviewed: () => void }) {
  const may = useMay('audit.review');
  const [note, setNote] = useState('');
  const { error, isSending, write } = useWrite();
  const review = (verdict: ReviewVerdict): Promise<void> =>
    write(async () => {
      await sendReview(entry.id, verdict, note);
      setNote('');
      announce('The review is recorded.');
      onReviewed();
    });
  return (
    <section class="stack-s" aria-label="Review">
      <h3>Review</h3>
      <ul class="reviews">
        {entry.reviews.map(({ verdict, note: text, actor_id: actor, reviewed_at: at }, index) => (
          <li key={at} {...rowAt(index)}>
            <Status tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].label}</Status>{' '}
            <PlainText text={actor} /> <Time at={at} />
            {text !== null && (
              <p>
                <PlainText text={text} />
              </p>
            )}
          </li>
        ))}
      </ul>
      {may.reason !== null && <p class="muted">{may.reason}</p>}
      <label class="field">
        Note (optional)
        <input value={note} maxLength={1000} disabled={!may.isAllowed} onInput={typed(setNote)} />
      </label>
      <div class="row" role="group" aria-label="Verdict">
        {VERDICT_NAMES.map((verdict) => (
          <Button key={verdict} may={may} disabled={isSending} onClick={() => void review(verdict)}>
            {VERDICTS[verdict].label}
          </Button>
        ))}
      </div>
      <ErrorBox error={error} />
    </section>
  );
}

export async function sendReview(id: number, verdict: ReviewVerdict, note: string): Promise<void> {
  const body = note.trim() === '' ? { verdict } : { verdict, note: note.trim() };
  await client.call('audit.review', { params: { id }, body });
}

/** More decisions of a run are in the list. */
const SHOWN_OF_RUN = 50;

/** The decisions of the run in their order. */
function Run({ runId, current }: { readonly runId: string; readonly current: number }) {
  const run = useAnswer('audit.index', { query: { control: 'all', run_id: runId, limit: SHOWN_OF_RUN } });
  return (
    <section class="stack-s">
      <h3>The run</h3>
      <Loaded resource={run} lines={3}>
        {({ entries, next_cursor: next }) => (
          <>
            {next !== null && (
              <p>
                <a href={href('/audit', { run_id: runId })}>
                  The newest {SHOWN_OF_RUN} are shown here; show all
                </a>
              </p>
            )}
            <ol class="run">
              {entries.toReversed().map((entry) => (
                <li key={entry.id} aria-current={entry.id === current ? 'step' : undefined}>
                  <OutcomeStatus entry={entry} />
                  <a href={href(`/audit/${entry.id}`)}>{CONTROL_WORDS[entry.control].label}</a>
                  <span class="cut muted">
                    <PlainText text={entry.prompt_preview ?? 'not stored'} />
                  </span>
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </section>
  );
}
