import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import type { RuleListData } from '#client/index.js';
import { useAddress } from '../../data/address.js';
import { setServerTime } from '../../data/clock.js';
import { useLiveReload } from '../../data/live.js';
import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { readRules } from '../../data/rules.js';
import { count, percent, plural } from '../../text/format.js';
import { CountLink } from '../../ui/count-link.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { useGrowingList } from '../../ui/rows.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded } from '../../ui/states.js';
import { ModeStatus } from '../../ui/status.js';
import { RuleDrawer } from './rule-drawer.js';
import { Screeners } from './screeners.js';

export type Rule = RuleListData['rules'][number];

type Group = RuleListData['groups'][number];

export interface Reading {
  readonly rules: readonly Rule[];
  readonly groups: readonly Group[];
  readonly screeners: RuleListData['screeners'];
  readonly retired: RuleListData['retired'];
  /** The 24 hours of `hits_24h`. */
  readonly from: string;
  readonly to: string;
}

/** The screening rules with what they did in the last 24 hours. */
export default function Rules() {
  const { query, change } = useAddress();
  const reading = useResource('rules', load);
  useLiveReload(reading.reload, (name) => /^guardrails\.(?:injection|settings)\./.test(name));
  return (
    <Screen
      title="Rules"
      lead="The rules of input screening, in the order of evaluation. The first rule that matches and blocks decides."
    >
      <Loaded resource={reading} lines={14}>
        {(loaded) => {
          const chosen = loaded.rules.find(({ id }) => id === query['rule']);
          return (
            <>
              <Screeners reading={loaded} onChanged={reading.reload} />
              <RuleFilters rules={loaded.rules} />
              <RuleTable reading={loaded} />
              {chosen !== undefined && (
                <RuleDrawer
                  rule={chosen}
                  reading={loaded}
                  onChanged={reading.reload}
                  onClose={() => change({ rule: undefined })}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
}

async function load(signal: AbortSignal): Promise<Reading> {
  const { rules, groups, screeners, retired, window } = await readRules(signal);
  setServerTime(window.to);
  return { rules, groups, screeners, retired, ...window };
}

/** The prompts that `hits_24h` counts. */
export function hitsOf(rule: { readonly id: string }, { from, to }: Reading): string {
  return href('/audit', { control: 'input_screen', matched: rule.id, from, to });
}

const SHOWN = [
  ['all', 'All'],
  ['hit', 'Matched in 24 h'],
  ['silent', 'No match in 24 h'],
  ['weaker', 'Not enforced'],
  ['own', 'Yours'],
] as const;

function isShown(rule: Rule, filter: string | undefined): boolean {
  switch (filter) {
    case 'hit':
      return rule.hits_24h > 0;
    case 'silent':
      return rule.hits_24h === 0;
    case 'weaker':
      return rule.mode !== 'enforce';
    case 'own':
      return rule.source === 'settings';
    default:
      return true;
  }
}

function RuleFilters({ rules }: { readonly rules: readonly Rule[] }) {
  const { query, change } = useAddress();
  return (
    <div class="filters" role="search">
      <input
        type="search"
        data-search
        aria-label="Search rules"
        placeholder="Search ids, descriptions and tags"
        value={query['q'] ?? ''}
        onInput={({ currentTarget }) => change({ q: currentTarget.value || undefined }, { replace: true })}
      />
      <div class="segments" role="group" aria-label="Which rules">
        {SHOWN.map(([value, label]) => (
          <button
            type="button"
            key={value}
            aria-pressed={(query['show'] ?? 'all') === value}
            onClick={() => change({ show: value === 'all' ? undefined : value })}
          >
            {label} <span class="muted number">{rules.filter((rule) => isShown(rule, value)).length}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

function RuleTable({ reading }: { readonly reading: Reading }) {
  const { query } = useAddress();
  const words = (query['q'] ?? '').toLowerCase().split(/\s+/);
  const shown = useMemo(() => {
    const matches = (rule: Rule): boolean => {
      const text =
        `${rule.id} ${rule.description} ${rule.rationale} ${rule.tags.join(' ')} ${rule.severity}`.toLowerCase();
      return isShown(rule, query['show']) && words.every((word) => text.includes(word));
    };
    return inGroups(reading, matches);
  }, [reading, query['q'], query['show']]);
  const list = useGrowingList(JSON.stringify([query['q'], query['show']]), shown.length);
  if (shown.length === 0)
    return (
      <Empty title="No rule matches.">
        <a href={href('/rules')}>Show all rules</a>
      </Empty>
    );
  return (
    <div>
      <div class="table-scroll">
        <table class="rules-table">
          <caption class="visually-hidden">{plural(shown.length, 'rule')}</caption>
          <thead>
            <tr>
              <th>Rule</th>
              <th>Severity</th>
              <th>Mode</th>
              <th class="number">Matched, 24 h</th>
              <th class="number">Precision</th>
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, list.shown).map(({ rule, head }) => (
              <Fragment key={rule.id}>
                {head !== null && <GroupRow group={head} />}
                <RuleRow rule={rule} reading={reading} />
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      <div ref={list.end} />
    </div>
  );
}

/** Matching rules in the order of their groups; the first one of a group of several has its head. */
function inGroups({ rules, groups }: Reading, matches: (rule: Rule) => boolean) {
  return groups.flatMap((group) =>
    rules
      .filter((rule) => rule.group === group.id && matches(rule))
      .map((rule, index) => ({ rule, head: index === 0 && group.rules.length > 1 ? group : null })),
  );
}

/** Without a figure: a prompt in which several of its rules matched would count several times. */
function GroupRow({ group }: { readonly group: Group }) {
  return (
    <tr class="rule-group">
      <th scope="colgroup" colSpan={5}>
        <span class="mono">
          <NameText text={group.id} />
        </span>
        <p class="muted small">
          <PlainText text={group.description} />
        </p>
      </th>
    </tr>
  );
}

function RuleRow({ rule, reading }: { readonly rule: Rule; readonly reading: Reading }) {
  const { query } = useAddress();
  return (
    <tr>
      <td>
        <a class="mono" href={href('/rules', { ...query, rule: rule.id })} data-row>
          <NameText text={rule.id} />
        </a>
        <p class="muted small">
          <PlainText text={rule.description} />
        </p>
      </td>
      <td data-label="Severity">{rule.severity}</td>
      <td data-label="Mode">
        <ModeStatus mode={rule.mode} />
        {rule.source === 'settings' && <span class="tag">yours</span>}
      </td>
      <td class="number" data-label="Matched, 24 h">
        <CountLink value={rule.hits_24h} to={hitsOf(rule, reading)} />
      </td>
      <td class="number" data-label="Precision">
        <Precision reviews={rule.reviews} />
      </td>
    </tr>
  );
}

/** The share of reviewed entries that were attacks. */
export function Precision({ reviews }: { readonly reviews: Rule['reviews'] }) {
  const { precision, true_positive: right, false_positive: wrong } = reviews;
  if (precision === null)
    return (
      <span class="muted" title="not reviewed">
        –<span class="visually-hidden"> not reviewed</span>
      </span>
    );
  return (
    <>
      {percent(precision)} of {count(right + wrong)}
    </>
  );
}
