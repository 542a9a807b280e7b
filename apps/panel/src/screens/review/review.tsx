import { useEffect, useRef, useState } from 'preact/hooks';
import type { AuditListItem } from '#client/index.js';
import type { ReviewVerdict } from '#contracts/audit/review.store.js';
import { useLiveReload } from '../../data/live.js';
import { href, useAddress } from '../../data/page.js';
import { type Pages, useAnswer, useList, useWrite } from '../../data/requests.js';
import { useMay } from '../../data/session.js';
import { useKeys } from '../../layout/shortcuts.js';
import { OUTCOME_WORDS } from '../../text/names.js';
import { announce } from '../../ui/announcer.js';
import { Button, Tabs } from '../../ui/controls.js';
import { Empty, ErrorBox, ListEnd, Loaded, Screen, Skeleton } from '../../ui/screen.js';
import { Status } from '../../ui/values.js';
import { EntryDetail, readAhead, sendReview, useEntry } from '../audit/entry.js';
import { VERDICT_NAMES, VERDICTS } from '../audit/sentences.js';

const PAGE_SIZE = 20;

const isOfPrompts = (name: string): boolean => name.startsWith('guardrails.injection.');

/** Decisions without a review, one at a time. */
export default function Review() {
  const { query } = useAddress();
  const outcome = query['outcome'] === 'observed' ? 'observed' : 'blocked';
  const [round, setRound] = useState(0);
  const [last, setLast] = useState<Judged>();
  const readAgain = (): void => setRound(round + 1);
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
      {last !== undefined && <LastVerdict judged={last} />}
      {pages.items.length > 0 && (
        <Queue key={`${outcome} ${round}`} pages={pages} readAgain={readAgain} onJudged={setLast} />
      )}
      {(pages.items.length === 0 || pages.state === 'failed') && (
        <ListEnd pages={pages} lines={12} older="Search older entries">
          <NothingToReview outcome={outcome} />
        </ListEnd>
      )}
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
  readonly id: number;
  readonly verdict: ReviewVerdict;
  readonly rule: string | null;
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
  const [at, go] = useState(0);
  const { error, isSending, write } = useWrite();
  const item = items[at];
  const following = items[at + 1];
  const hasMore = state !== 'end';

  useEffect(() => {
    if (following === undefined && hasMore) more();
  }, [following, hasMore]);

  const judge = async (verdict: ReviewVerdict): Promise<void> => {
    if (item === undefined || !may.isAllowed || isSending) return;
    await write(async () => {
      await sendReview(item.id, verdict, '');
      announce(`Entry ${item.id}: ${nameOf(verdict)}.`);
      onJudged({ id: item.id, verdict, rule: item.rule_id });
      go(at + 1);
    });
  };

  const isAtEnd = item === undefined && !hasMore;
  const haveArrived = useRef(false);
  useLiveReload(() => {
    haveArrived.current = true;
    if (isAtEnd) readAgain();
  }, isOfPrompts);
  useEffect(() => {
    if (isAtEnd && haveArrived.current) readAgain();
  }, [isAtEnd]);
  useKeys({
    ...Object.fromEntries(VERDICT_NAMES.map((verdict) => [VERDICTS[verdict].key, () => void judge(verdict)])),
    j: () => go(Math.min(at + 1, items.length)),
    k: () => go(Math.max(at - 1, 0)),
  });

  return (
    <div class="stack">
      <ErrorBox error={error} />
      {may.reason !== null && <p class="notice">{may.reason}</p>}
      {item === undefined && hasMore && <Skeleton lines={12} />}
      {isAtEnd && (
        <Empty title="You have seen all of them.">
          <a href={href('/rules')}>See the precision of each rule</a>
        </Empty>
      )}
      {item !== undefined && (
        <>
          <div class="review-bar" role="group" aria-label="Verdict">
            {VERDICT_NAMES.map((verdict) => (
              <Button key={verdict} may={may} disabled={isSending} onClick={() => void judge(verdict)}>
                {VERDICTS[verdict].label} <kbd>{VERDICTS[verdict].key}</kbd>
              </Button>
            ))}
            <Button class="ghost" onClick={() => go(at + 1)}>
              Skip <kbd>j</kbd>
            </Button>
          </div>
          <Shown id={item.id} following={following?.id} />
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
function LastVerdict({ judged: { id, verdict, rule } }: { readonly judged: Judged }) {
  return (
    <p class="notice row">
      <Status tone="ok">
        Entry {id}: {nameOf(verdict)}
      </Status>
      <a href={href(`/audit/${id}`)}>Correct it</a>
      {verdict === 'false_positive' && rule !== null && (
        <>
          <a href={href('/rules', { rule })}>Set the rule to monitor</a>
          <a href={href(`/audit/${id}`)}>Propose an exception</a>
        </>
      )}
    </p>
  );
}

function nameOf(verdict: ReviewVerdict): string {
  return VERDICTS[verdict].label.toLowerCase();
}
