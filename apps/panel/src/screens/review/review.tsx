import { useEffect, useRef, useState } from 'preact/hooks';
import type { AuditListItem } from '#client/index.js';
import { useAddress } from '../../data/address.js';
import { useMay } from '../../data/me.js';
import { href } from '../../data/page.js';
import { useLiveReload } from '../../data/live.js';
import { usePages } from '../../data/pages.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { useWrite } from '../../data/write.js';
import { useKeys } from '../../layout/shortcuts.js';
import { announce } from '../../ui/announcer.js';
import { Screen } from '../../ui/screen.js';
import { Empty, ErrorBox, Loaded, Skeleton } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { EntryDetail } from '../audit/entry-detail.js';
import { readAhead, useEntry } from '../audit/entry.js';
import { sendReview, VERDICTS, type Verdict } from '../audit/review-form.js';

const PAGE_SIZE = 20;

const isOfPrompts = (name: string): boolean => name.startsWith('guardrails.injection.');

/** Decisions without a review, one at a time. */
export default function Review() {
  const { query } = useAddress();
  const outcome = query['outcome'] === 'observed' ? 'observed' : 'blocked';
  const [round, setRound] = useState(0);
  const [last, setLast] = useState<Given>();
  const key = `review ${outcome} ${round}`;
  const readAgain = (): void => setRound(round + 1);
  const pages = usePages<AuditListItem>(key, async (cursor, signal) => {
    const { data } = await client.call('audit.index', {
      query: { control: 'input_screen', review: 'none', outcome, limit: PAGE_SIZE, cursor },
      signal,
    });
    // The first entry is requested before the list is drawn, because it is opened next.
    const [first] = data.entries;
    if (cursor === undefined && first !== undefined) readAhead(first.id);
    return { items: data.entries, next: data.next_cursor, isPartial: data.partial };
  });
  useLiveReload(() => pages.items.length === 0 && pages.state === 'end' && readAgain(), isOfPrompts);
  return (
    <Screen
      title="Review"
      lead="Was it an attack? Every verdict counts for the precision of the rule that decided."
    >
      <nav class="tabs" aria-label="Which prompts">
        <a href={href('/review')} aria-current={outcome === 'blocked' ? 'page' : undefined}>
          Blocked prompts
        </a>
        <a
          href={href('/review', { outcome: 'observed' })}
          aria-current={outcome === 'observed' ? 'page' : undefined}
        >
          Observed prompts
        </a>
      </nav>
      {last !== undefined && <LastVerdict given={last} />}
      {pages.state === 'loading' && pages.items.length === 0 && <Skeleton lines={12} />}
      {pages.error !== undefined && pages.state === 'failed' && (
        <ErrorBox error={pages.error} retry={pages.more} />
      )}
      {pages.items.length > 0 && (
        <Queue
          key={key}
          items={pages.items}
          hasMore={pages.state !== 'end'}
          more={pages.more}
          readAgain={readAgain}
          onJudged={setLast}
        />
      )}
      {pages.items.length === 0 && pages.state === 'more' && (
        <p>
          <button type="button" onClick={pages.more}>
            Search older entries
          </button>
        </p>
      )}
      {pages.items.length === 0 && pages.state === 'end' && <NothingToReview outcome={outcome} />}
    </Screen>
  );
}

function NothingToReview({ outcome }: { readonly outcome: 'blocked' | 'observed' }) {
  const newest = useResource(`newest ${outcome}`, async (signal) => {
    const query = { control: 'input_screen', outcome, limit: 1 } as const;
    return (await client.call('audit.index', { query, signal })).data.entries;
  });
  return (
    <Loaded resource={newest} lines={2}>
      {(entries) =>
        entries.length === 0 ? (
          <Empty title={`No prompt has been ${outcome} yet.`}>
            Prompts appear here by themselves. <a href={href('/sandbox')}>Try one in the sandbox</a>
          </Empty>
        ) : (
          <Empty title={`Every ${outcome} prompt has a review.`}>
            <a href={href('/rules')}>See the precision of each rule</a>
          </Empty>
        )
      }
    </Loaded>
  );
}

interface Given {
  readonly id: number;
  readonly verdict: Verdict;
  readonly rule: string | null;
}

function Queue({
  items,
  hasMore,
  more,
  readAgain,
  onJudged,
}: {
  readonly items: readonly AuditListItem[];
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly readAgain: () => void;
  readonly onJudged: (given: Given) => void;
}) {
  const may = useMay('audit.review');
  const [at, go] = useState(0);
  const { error, isSending, write } = useWrite();
  const item = items[at];
  const following = items[at + 1];

  useEffect(() => {
    if (following === undefined && hasMore) more();
  }, [following, hasMore]);

  const judge = async (verdict: Verdict): Promise<void> => {
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
    ...Object.fromEntries(VERDICTS.map(([verdict, , key]) => [key, () => void judge(verdict)])),
    j: () => go(Math.min(at + 1, items.length)),
    k: () => go(Math.max(at - 1, 0)),
  });

  return (
    <div class="stack">
      {error !== undefined && <ErrorBox error={error} />}
      {may.reason !== null && <p class="notice">{may.reason}</p>}
      {item === undefined ? (
        hasMore ? (
          <Skeleton lines={12} />
        ) : (
          <Empty title="You have seen all of them.">
            <a href={href('/rules')}>See the precision of each rule</a>
          </Empty>
        )
      ) : (
        <>
          <div class="review-bar" role="group" aria-label="Verdict">
            {VERDICTS.map(([verdict, label, key]) => (
              <button
                type="button"
                key={verdict}
                disabled={!may.isAllowed || isSending}
                onClick={() => void judge(verdict)}
              >
                {label} <kbd>{key}</kbd>
              </button>
            ))}
            <button type="button" class="ghost" onClick={() => go(at + 1)}>
              Skip <kbd>j</kbd>
            </button>
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
function LastVerdict({ given: { id, verdict, rule } }: { readonly given: Given }) {
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

function nameOf(verdict: Verdict): string {
  return (VERDICTS.find(([name]) => name === verdict)?.[1] ?? verdict).toLowerCase();
}
