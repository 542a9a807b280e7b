/** An exception for a false alarm: which matches, where, until when, and what else would pass. */
import { useMemo, useState } from 'preact/hooks';
import { ApiError, type AuditEntryData, type RouteData } from '#client/index.js';
import type { BacktestFilters } from '#contracts/audit/filter.js';
import { serverNow } from '../../data/clock.js';
import { href, useAddress } from '../../data/page.js';
import { useAnswer, useResource, useWrite } from '../../data/requests.js';
import { client, useMay } from '../../data/session.js';
import { DAY_MS, plural } from '../../text/format.js';
import { announceResult } from '../../ui/announcer.js';
import { Button, Select } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { ErrorBox, Loaded } from '../../ui/screen.js';
import { EXACTLY } from '../settings/sentences.js';
import { type Settings, useSettings } from '../settings/settings-data.js';
import { BY_HAND, effectText, NEEDS_VERDICT, SAVED, type Wordings } from './sentences.js';

const KEY = 'input_screen.exceptions';
const ENDS = [7, 30, 90];

interface OfEntry {
  readonly entry: AuditEntryData;
  readonly words: Wordings;
}

type Proposals = RouteData<'audit.exception'>['proposals'];

/** The first action of a matched prompt. Where no phrase can be excepted, the reason stands in its place. */
export function ExceptionWizard({ entry, words }: OfEntry) {
  const may = useMay('settings.update');
  const { query } = useAddress();
  const [isOpen, open] = useState(query['exception'] === String(entry.id));
  const { data, error } = useAnswer('audit.exception', { params: { id: entry.id } });
  const isFalseAlarm = entry.reviews.at(-1)?.verdict === 'false_positive';
  if (error instanceof ApiError && error.code === 'no_proposal')
    return (
      <p class="muted">
        {error.message} {BY_HAND} <a href={href('/settings', { key: KEY })}>Open the exceptions</a>
      </p>
    );
  return (
    <>
      {!(isOpen && isFalseAlarm) && (
        <Button
          class="primary"
          may={may}
          disabled={!isFalseAlarm || data === undefined}
          onClick={() => open(true)}
        >
          Make an exception
        </Button>
      )}
      {!isFalseAlarm && <span class="muted">{NEEDS_VERDICT}</span>}
      <ErrorBox error={error} />
      {isOpen && isFalseAlarm && data !== undefined && (
        <ExceptionForm entry={entry} words={words} proposals={data.proposals} onSaved={() => open(false)} />
      )}
    </>
  );
}

function ExceptionForm({
  entry,
  words,
  proposals,
  onSaved,
}: OfEntry & { readonly proposals: Proposals; readonly onSaved: () => void }) {
  const [left, leave] = useState<readonly number[]>([]);
  const [application, setApplication] = useState(entry.application ?? '');
  const [days, setDays] = useState(30);
  const settings = useSettings();
  const ends = useMemo(() => new Date(serverNow.peek() + days * DAY_MS).toISOString(), [days]);
  const added = proposals
    .filter((_, index) => !left.includes(index))
    .map(({ exception: { rule_id, phrase } }) => ({
      rule_id,
      phrase,
      ...(application !== '' && { application }),
      reason: `False alarm, entry ${entry.id}`,
      ends_at: ends,
    }));
  return (
    <section class="card" aria-label="Exception">
      <h3>This no longer counts as a match</h3>
      <p class="muted">{EXACTLY}</p>
      {proposals.map(({ exception: { rule_id: rule, phrase } }, index) => (
        <label class="check" key={index}>
          <input
            type="checkbox"
            checked={!left.includes(index)}
            onChange={() =>
              leave(left.includes(index) ? left.filter((one) => one !== index) : [...left, index])
            }
          />
          <span>
            <q>
              <PlainText text={phrase} />
            </q>{' '}
            <span class="muted">
              <PlainText text={words.get(rule) ?? rule} />
            </span>
          </span>
        </label>
      ))}
      <div class="filters">
        {entry.application !== null && (
          <label class="field">
            Where
            <Select
              value={application}
              choices={[
                [entry.application, entry.application],
                ['', 'everywhere'],
              ]}
              onChoose={setApplication}
            />
          </label>
        )}
        <label class="field">
          For
          <Select
            value={days}
            choices={ENDS.map((number) => [number, plural(number, 'day')] as const)}
            onChoose={(number) => setDays(Number(number))}
          />
        </label>
      </div>
      <Loaded resource={settings} lines={3}>
        {(loaded) => (
          <Effect entry={entry} settings={loaded} added={added} onSaved={onSaved} reload={settings.reload} />
        )}
      </Loaded>
    </section>
  );
}

/** What the exceptions would have changed, and the button that puts them in force. */
function Effect({
  entry,
  settings: { values, etag },
  added,
  onSaved,
  reload,
}: Pick<OfEntry, 'entry'> & {
  readonly settings: Settings;
  readonly added: Exceptions;
  readonly onSaved: () => void;
  readonly reload: () => void;
}) {
  const { error, isSending, write } = useWrite();
  const present = (values[KEY] ?? []) as Exceptions;
  const exceptions = [...present, ...added];
  const effect = useResource(JSON.stringify(exceptions), async (signal) => ({
    own: await fateOf(entry, exceptions, signal),
    ...(await effectOf(present, exceptions, signal)),
  }));
  const save = () =>
    write(async () => {
      const body = { settings: { [KEY]: exceptions } };
      // After a refusal, the next attempt is made on what others saved.
      await client.call('settings.update', { body, ifMatch: etag ?? undefined }).finally(reload);
      announceResult(SAVED);
      onSaved();
    });
  const isReady = added.length > 0 && effect.data !== undefined && !effect.isLoading;
  return (
    <>
      <Loaded resource={effect} lines={1}>
        {(data) => (
          <p role="status" class={data.attacks > 0 ? 'notice blocked' : ''}>
            {effectText(data)}
          </p>
        )}
      </Loaded>
      <ErrorBox error={error} hasFields />
      <p>
        <Button class="primary" disabled={isSending || !isReady} onClick={() => void save()}>
          Save the exception
        </Button>
      </p>
    </>
  );
}

type Exceptions = readonly object[];

/** Whether the text of the entry is blocked with the exceptions; `null` if that is not known, and why. */
async function fateOf(
  { id, occurred_at: at, outcome }: AuditEntryData,
  exceptions: Exceptions,
  signal: AbortSignal,
) {
  const to = new Date(Date.parse(at) + 1).toISOString();
  const body = { candidate: { [KEY]: exceptions }, from: at, to, cursor: id + 1 };
  const { data } = await client.call('rules.backtest', { body, signal });
  const isChanged = [...data.newly_blocked.rules, ...data.no_longer_blocked.rules].some(({ samples }) =>
    samples.some(({ audit_id: one }) => one === id),
  );
  const isKnown =
    isChanged || (data.scanned > 0 && Object.values(data.unjudgeable).every((texts) => texts === 0));
  return { isBlocked: isKnown ? (outcome === 'blocked') !== isChanged : null, unjudgeable: data.unjudgeable };
}

/**
 * Of the blocked prompts of the last 30 days. What passes with the exceptions in force is not counted: other settings may
 * have changed since.
 */
async function effectOf(present: Exceptions, exceptions: Exceptions, signal: AbortSignal) {
  const from = new Date(serverNow.peek() - 30 * DAY_MS).toISOString();
  const passing = async (more: Partial<BacktestFilters>) => {
    const filters = { control: 'input_screen', outcome: 'blocked', ...more } as const;
    const sum = { passing: 0, unjudgeable: {} as Record<string, number> };
    for (const candidate of [present, exceptions]) {
      sum.passing = -sum.passing;
      sum.unjudgeable = {};
      const body = { candidate: { [KEY]: candidate }, from, filters };
      for await (const slice of client.pages('rules.backtest', { body, signal })) {
        sum.passing += slice.no_longer_blocked.count;
        for (const [reason, texts] of Object.entries(slice.unjudgeable))
          sum.unjudgeable[reason] = (sum.unjudgeable[reason] ?? 0) + texts;
      }
    }
    return sum;
  };
  return {
    ...(await passing({})),
    attacks: (await passing({ review: 'true_positive' })).passing,
    alarms: (await passing({ review: 'false_positive' })).passing,
  };
}
