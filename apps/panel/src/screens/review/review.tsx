import { useEffect, useRef, useState } from 'preact/hooks';
import type { AuditListItem } from '#client/index.js';
import type { ReviewVerdict } from '#contracts/audit/review.store.js';
import { useLiveReload } from '../../data/live.js';
import { href, useAddress } from '../../data/page.js';
import { type Pages, useAnswer, useList, useWrite } from '../../data/requests.js';
import { useMay } from '../../data/session.js';
import { useKeys } from '../../layout/shortcuts.js';
import { count } from '../../text/format.js';
import { OUTCOME_WORDS } from '../../text/names.js';
import { announce } from '../../ui/announcer.js';
import { Button, Tabs } from '../../ui/controls.js';
import { Fold, type Group, grouped, sameText } from '../../ui/groups.js';
import { PromptPreview } from '../../ui/plain-text.js';
import { Empty, ErrorBox, ListEnd, Loaded, Screen, Skeleton } from '../../ui/screen.js';
import { Status, Time } from '../../ui/values.js';
import { EntryDetail, readAhead, useEntry } from '../audit/entry.js';
import { VERDICTS } from '../audit/sentences.js';
import { sendReview, VerdictBar } from '../audit/verdict.js';

const PAGE_SIZE = 100;

const isOfPrompts = (name: string): boolean => name.startsWith('guardrails.injection.');

/** Decisions without a review, one at a time. One verdict judges all with the same text. */
export default function Review() {
  const { query } = useAddress();
  const outcome = query['outcome'] === 'observed' ? 'observed' : 'blocked';
  const [round, setRound] = useState(0);
  const [last, setLast] = useState<Judged>();
  const readAgain = () => setRound(round + 1);
  const filters = { control: 'input_screen', review: 'none', outcome, limit: PAGE_SIZE };
  const pages = useList(
    'audit.index',
    { query: filters },
    ({ entries }, cursor) => {
      // The first entry is requested before the list is drawn, because it is opened next.
      const [first] = entries;
      if (cursor === undefined && first !== undefined) readAhead(first.id);
      return entries;
    },
    round,
  );
  useLiveReload(() => pages.items.length === 0 && pages.state === 'end' && readAgain(), isOfPrompts);
  return (
    <Screen
      title="Review"
      lead="Was it an attack? Every verdict counts for the precision of the rule that decided."
    >
      <Tabs
        label="Which prompts"
        tabs={[
          [href('/review'), 'Blocked prompts', outcome === 'blocked'],
          [href('/review', { outcome: 'observed' }), 'Monitored prompts', outcome === 'observed'],
        ]}
      />
      {pages.items.length > 0 && (
        <Queue key={`${outcome} ${round}`} pages={pages} readAgain={readAgain} onJudged={setLast} />
      )}
      {(pages.items.length === 0 || pages.state === 'failed') && (
        <ListEnd pages={pages} lines={12} older="Search older entries">
          <NothingToReview outcome={outcome} />
        </ListEnd>
      )}
      {last !== undefined && <LastVerdict judged={last} />}
    </Screen>
  );
}

function NothingToReview({ outcome }: { readonly outcome: 'blocked' | 'observed' }) {
  const newest = useAnswer('audit.index', { query: { control: 'input_screen', outcome, limit: 1 } });
  const word = OUTCOME_WORDS[outcome];
  return (
    <Loaded resource={newest} lines={2}>
      {({ entries }) =>
        entries.length === 0 ? (
          <Empty title={`No prompt has been ${word} yet.`}>
            Prompts appear here by themselves. <a href={href('/sandbox')}>Try one in the sandbox</a>
          </Empty>
        ) : (
          <Empty title={`Every ${word} prompt has a review.`}>
            <a href={href('/rules')}>See the precision of each rule</a>
          </Empty>
        )
      }
    </Loaded>
  );
}

interface Judged {
  readonly group: Group<AuditListItem>;
  readonly verdict: ReviewVerdict;
}

function Queue({
  pages: { items, state, more },
  readAgain,
  onJudged,
}: {
  readonly pages: Pages<AuditListItem>;
  readonly readAgain: () => void;
  readonly onJudged: (judged: Judged) => void;
}) {
  const may = useMay('audit.review');
  // Judged or skipped, latest last.
  const [passed, setPassed] = useState<readonly Group<AuditListItem>[]>([]);
  const [verdicts, setVerdicts] = useState<ReadonlyMap<number, ReviewVerdict>>(new Map());
  const { error, isSending, write } = useWrite();
  const others = new Set(passed.flat());
  const groups = grouped(
    items.filter((item) => !others.has(item)),
    sameText,
  );
  const [group, following] = groups.map(([, rows]) => rows);
  const isLast = following === undefined;
  const hasMore = state !== 'end';

  useEffect(() => {
    if (isLast && state === 'more') more();
  }, [isLast, state]);

  const pass = () => group && setPassed([...passed, group]);
  const judge = async (verdict: ReviewVerdict) => {
    if (group === undefined) return;
    await write(async () => {
      // After a failure within a group, the next try sends what is missing.
      for (const { id } of group.filter((one) => verdicts.get(one.id) !== verdict)) {
        await sendReview(id, verdict, '');
        setVerdicts((before) => new Map(before).set(id, verdict));
      }
      announce(`${textOf({ group, verdict })}.`);
      onJudged({ group, verdict });
      pass();
    });
  };

  const isAtEnd = group === undefined && !hasMore;
  const haveArrived = useRef(false);
  useLiveReload(() => {
    haveArrived.current = true;
    if (isAtEnd) readAgain();
  }, isOfPrompts);
  useEffect(() => {
    if (isAtEnd && haveArrived.current) readAgain();
  }, [isAtEnd]);
  const goBack = () => setPassed(passed.slice(0, -1));
  useKeys({ j: pass, k: goBack });

  return (
    <div class="stack">
      <ErrorBox error={error} />
      {may.reason !== null && <p class="notice">{may.reason}</p>}
      {group === undefined && hasMore && <Skeleton lines={12} />}
      {isAtEnd && (
        <Empty title="You have seen all of them.">
          <a href={href('/rules')}>See the precision of each rule</a>{' '}
          <Button onClick={goBack}>
            Back <kbd>k</kbd>
          </Button>
        </Empty>
      )}
      {group !== undefined && (
        <>
          <VerdictBar may={may} isSending={isSending} times={group.length} onJudge={judge}>
            <Button class="ghost" onClick={pass}>
              Skip <kbd>j</kbd>
            </Button>
            <span class="muted number">
              {count(verdicts.size)} judged, {hasMore && 'at least '}
              {count(items.length - verdicts.size)} left
            </span>
          </VerdictBar>
          <Fold key={group[0].id} rows={group}>
            {({ id, occurred_at: at }) => (
              <p key={id}>
                <a href={href(`/audit/${id}`)}>Entry {id}</a> <Time at={at} />
              </p>
            )}
          </Fold>
          <Shown id={group[0].id} following={following?.[0].id} />
        </>
      )}
    </div>
  );
}

function Shown({ id, following }: { readonly id: number; readonly following: number | undefined }) {
  const entry = useEntry(id);
  const isShown = entry.data !== undefined;
  useEffect(() => {
    if (isShown && following !== undefined) readAhead(following);
  }, [isShown, following]);
  return (
    <section class="card" aria-label={`Entry ${id}`}>
      <Loaded resource={entry} lines={12}>
        {(loaded) => <EntryDetail entry={loaded} />}
      </Loaded>
    </section>
  );
}

/** A later verdict replaces this one. After a false alarm, the rule can be changed from here. */
function LastVerdict({ judged }: { readonly judged: Judged }) {
  const { group, verdict } = judged;
  const [{ id, rule_id: rule, prompt_preview: text }] = group;
  return (
    <div class="notice last-verdict">
      <p class="row">
        <Status tone="ok">{textOf(judged)}</Status>
        <span class="cut">
          <PromptPreview text={text} />
        </span>
        <a href={href(`/audit/${id}`)}>Change the verdict</a>
        {verdict === 'false_positive' && rule !== null && (
          <>
            <a href={href('/rules', { rule })}>Set the rule to monitor</a>
            <a href={href(`/audit/${id}`, { exception: id })}>Make an exception</a>
          </>
        )}
      </p>
    </div>
  );
}

/** `Entry 7 and 2 with the same text: attack`. */
function textOf({ group: [{ id }, ...same], verdict }: Judged): string {
  const others = same.length === 0 ? '' : ` and ${count(same.length)} with the same text`;
  return `Entry ${id}${others}: ${VERDICTS[verdict].label.toLowerCase()}`;
}
