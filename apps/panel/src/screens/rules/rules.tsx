import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import type { RuleListData } from '#client/index.js';
import { setServerTime } from '../../data/clock.js';
import { useLiveReload } from '../../data/live.js';
import { href, useAddress } from '../../data/page.js';
import { readRules, useResource } from '../../data/requests.js';
import { plural } from '../../text/format.js';
import { Segments, Table, typed } from '../../ui/controls.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { useGrowingList } from '../../ui/rows.js';
import { Empty, Loaded, Screen } from '../../ui/screen.js';
import { JudgeCells, ModeChange, type Rule, RuleDrawer } from './rule.js';

/** The screening rules with what they did in the last 24 hours. */
export default function Rules() {
  const { query, change } = useAddress();
  const reading = useResource('rules', async (signal) => {
    const data = await readRules(signal);
    setServerTime(data.window.to);
    return data;
  });
  useLiveReload(reading.reload, (name) => /^guardrails\.(?:injection|settings)\./.test(name));
  return (
    <Screen
      title="Rules"
      lead="The rules of input screening, in the order of evaluation. The first rule that matches and blocks decides."
    >
      <Loaded resource={reading} lines={14}>
        {(data) => {
          const place = data.rules.findIndex(({ id }) => id === query['rule']);
          const chosen = data.rules[place];
          return (
            <>
              <Screeners data={data} onChanged={reading.reload} />
              <Filters rules={data.rules} />
              <RuleTable data={data} />
              {chosen !== undefined && (
                <RuleDrawer
                  rule={chosen}
                  place={place}
                  counted={data.window}
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

interface OfRules {
  readonly data: RuleListData;
}

const FIGURES = ['Matched, 24 h', 'Precision'];

const ABOUT: Readonly<Record<RuleListData['screeners'][number]['source'], string>> = {
  built_in:
    'A small linear model. It judges whole English and German texts, and blocks only if its mode is enforce.',
  host: 'A screener of the application.',
};

/** The checks that run beside the rules: the classifier, and the screeners of the host. */
function Screeners({
  data: { screeners, retired, window: counted },
  onChanged,
}: OfRules & { readonly onChanged: () => void }) {
  return (
    <section class="stack-s">
      <h2>Screeners beside the rules</h2>
      <Table class="rules-table" texts={['Screener', 'Mode']} numbers={FIGURES}>
        {screeners.map((screener) => (
          <tr key={screener.id}>
            <td>
              <span class="mono break">
                <PlainText text={screener.id} />
              </span>
              <p class="muted small">{ABOUT[screener.source]}</p>
              <details>
                <summary>Change its mode</summary>
                <ModeChange changed={screener} noun="screener" onChanged={onChanged} />
              </details>
            </td>
            <JudgeCells judge={screener} counted={counted} />
          </tr>
        ))}
      </Table>
      {retired.length > 0 && (
        <p class="muted small">
          Retired rules that settings or reviews still name, without effect:{' '}
          <PlainText text={retired.map(({ id }) => id).join(', ')} />
        </p>
      )}
    </section>
  );
}

/** Which rules are shown, by the value of `show` in the address. */
const SHOWN: Readonly<Record<string, readonly [label: string, isShown: (rule: Rule) => boolean]>> = {
  all: ['All', () => true],
  hit: ['Matched in 24 h', ({ hits_24h: hits }) => hits > 0],
  silent: ['No match in 24 h', ({ hits_24h: hits }) => hits === 0],
  weaker: ['Not enforced', ({ mode }) => mode !== 'enforce'],
  own: ['Yours', ({ source }) => source === 'settings'],
};

function useShown(): string {
  const { show = 'all' } = useAddress().query;
  return Object.hasOwn(SHOWN, show) ? show : 'all';
}

function Filters({ rules }: { readonly rules: readonly Rule[] }) {
  const { query, change } = useAddress();
  return (
    <div class="filters" role="search">
      <input
        type="search"
        data-search
        aria-label="Search rules"
        placeholder="Search ids, descriptions and tags"
        value={query['q'] ?? ''}
        onInput={typed((q) => change({ q }, { replace: true }))}
      />
      <Segments
        aria-label="Which rules"
        choices={Object.entries(SHOWN).map(([show, [label, isShown]]) => [
          show,
          <>
            {label} <span class="muted number">{rules.filter(isShown).length}</span>
          </>,
        ])}
        chosen={useShown()}
        onChoose={(show) => change({ show: show === 'all' ? undefined : show })}
      />
    </div>
  );
}

function RuleTable({ data }: OfRules) {
  const { query } = useAddress();
  const show = useShown();
  const shown = useMemo(() => {
    const words = (query['q'] ?? '').toLowerCase().split(/\s+/);
    const matches = (rule: Rule): boolean => {
      const { id, description, rationale, tags, severity } = rule;
      const text = [id, description, rationale, ...tags, severity].join(' ').toLowerCase();
      return SHOWN[show]?.[1](rule) === true && words.every((word) => text.includes(word));
    };
    return inGroups(data, matches);
  }, [data, query['q'], show]);
  const list = useGrowingList(JSON.stringify([query['q'], show]), shown.length);
  if (shown.length === 0)
    return (
      <Empty title="No rule matches.">
        <a href={href('/rules')}>Show all rules</a>
      </Empty>
    );
  return (
    <div>
      <Table
        class="rules-table"
        caption={plural(shown.length, 'rule')}
        texts={['Rule', 'Severity', 'Mode']}
        numbers={FIGURES}
      >
        {shown.slice(0, list.shown).map(({ rule, head }) => (
          <Fragment key={rule.id}>
            {head !== null && (
              // Without a figure: a prompt in which several of its rules matched would count several times.
              <tr class="rule-group">
                <th scope="colgroup" colSpan={5}>
                  <span class="mono">
                    <NameText text={head.id} />
                  </span>
                  <p class="muted small">
                    <PlainText text={head.description} />
                  </p>
                </th>
              </tr>
            )}
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
              <JudgeCells judge={rule} counted={data.window} isOwn={rule.source === 'settings'} />
            </tr>
          </Fragment>
        ))}
      </Table>
      <div ref={list.end} />
    </div>
  );
}

/** Matching rules in the order of their groups; the first one of a group of several has its head. */
function inGroups({ rules, groups }: RuleListData, matches: (rule: Rule) => boolean) {
  return groups.flatMap((group) =>
    rules
      .filter((rule) => rule.group === group.id && matches(rule))
      .map((rule, index) => ({ rule, head: index === 0 && group.rules.length > 1 ? group : null })),
  );
}
