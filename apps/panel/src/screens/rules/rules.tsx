import { useMemo, useState } from 'preact/hooks';
import type { RuleListData } from '#client/index.js';
import { MODE_NAMES, type ModeName } from '#contracts/common/control-mode.js';
import { setServerTime } from '../../data/clock.js';
import { useLiveReload } from '../../data/live.js';
import { href, useAddress } from '../../data/page.js';
import { readRules, useResource } from '../../data/requests.js';
import { useMay } from '../../data/session.js';
import { count, plural } from '../../text/format.js';
import { spaced } from '../../text/names.js';
import { asChoices, Button, Icon, Segments, Select, Table, typed } from '../../ui/controls.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { Empty, Loaded, Screen } from '../../ui/screen.js';
import { JudgeCells, ModeChange, PrecisionCell, type Rule, RuleDrawer, useModeDraft } from './rule.js';

/** The screening rules with what they did in the last 24 hours. */
export default function Rules() {
  const { query, change, open } = useAddress();
  const reading = useResource('rules', async (signal) => {
    const data = await readRules(signal);
    setServerTime(data.window.to);
    return data;
  });
  const may = useMay('settings.update');
  useLiveReload(reading.reload, (name) => /^guardrails\.(?:injection|settings)\./.test(name));
  return (
    <Screen
      title="Rules"
      lead="The rules of input screening. The first one that matches and blocks decides."
      actions={
        <Button may={may} onClick={() => open('/settings/screening', { key: PATTERNS, new: PATTERNS })}>
          New pattern
        </Button>
      }
    >
      <Loaded resource={reading} lines={14}>
        {(data) => {
          const place = data.rules.findIndex(({ id }) => id === query['rule']);
          const chosen = data.rules[place];
          return (
            <>
              <Screeners data={data} />
              <Filters rules={data.rules} />
              <RuleTable data={data} />
              {chosen !== undefined && (
                <RuleDrawer
                  rule={chosen}
                  place={place}
                  counted={data.window}
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

/** The setting of the operators' own rules. */
const PATTERNS = 'input_screen.patterns';

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
function Screeners({ data: { screeners, retired, window: counted } }: OfRules) {
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
                <ModeChange changed={screener} noun="screener" />
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
      <Segments
        aria-label="Order"
        choices={ORDERS}
        chosen={query['sort'] ?? 'hits'}
        onChoose={(sort) => change({ sort: sort === 'hits' ? undefined : sort })}
      />
    </div>
  );
}

const ORDERS = [
  ['hits', 'By matches'],
  ['precision', 'By precision'],
] as const;

interface Figures {
  readonly hits_24h: number;
  readonly reviews: Omit<Rule['reviews'], 'unsure'>;
}

/** Most matches first, or the lowest precision. */
function inOrder<Item extends Figures>(items: readonly Item[], order: string | undefined): readonly Item[] {
  const rank = ({ hits_24h: hits, reviews: { precision } }: Figures) =>
    order === 'precision' ? (precision ?? 2) : -hits;
  return items.toSorted((a, b) => rank(a) - rank(b));
}

/** Rules whose ids have the same first part, with their sums. */
function familyOf(name: string, rules: readonly Rule[]) {
  const sum = (of: (rule: Rule) => number) => rules.reduce((before, rule) => before + of(rule), 0);
  const right = sum(({ reviews }) => reviews.true_positive);
  const wrong = sum(({ reviews }) => reviews.false_positive);
  const precision = right + wrong === 0 ? null : right / (right + wrong);
  const reviews = { true_positive: right, false_positive: wrong, precision };
  return { name, rules, hits_24h: sum(({ hits_24h: hits }) => hits), reviews };
}

function nameOf({ id }: Rule): string {
  return id.split('.')[0] ?? id;
}

function RuleTable({ data: { rules, window: counted } }: OfRules) {
  const { query } = useAddress();
  const show = useShown();
  const { q = '', sort } = query;
  const shown = useMemo(() => {
    const words = q.toLowerCase().split(/\s+/);
    return rules.filter((rule) => {
      const { id, description, rationale, tags, severity } = rule;
      const text = [id, description, rationale, ...tags, severity].join(' ').toLowerCase();
      return SHOWN[show]?.[1](rule) === true && words.every((word) => text.includes(word));
    });
  }, [rules, q, show]);
  if (shown.length === 0)
    return (
      <Empty title="No rule matches.">
        <a href={href('/rules')}>Show all rules</a>
      </Empty>
    );
  const names = [...new Set(shown.map(nameOf))];
  const families = names.map((name) =>
    familyOf(
      name,
      shown.filter((rule) => nameOf(rule) === name),
    ),
  );
  return (
    <Table
      class="rules-table"
      caption={plural(shown.length, 'rule')}
      texts={['Rule', 'Severity', 'Mode']}
      numbers={FIGURES}
    >
      {inOrder(families, sort).map((family) => (
        <Family
          key={`${family.name} ${q} ${show}`}
          family={family}
          isWhole={shown.length === rules.length}
          counted={counted}
        />
      ))}
    </Table>
  );
}

/** A group of rules. Folded, it lists those that matched; it is open at first if only some rules are shown. */
function Family({
  family: { name, rules, hits_24h: hits, reviews },
  isWhole,
  counted,
}: {
  readonly family: ReturnType<typeof familyOf>;
  readonly isWhole: boolean;
  readonly counted: RuleListData['window'];
}) {
  const { query } = useAddress();
  const may = useMay('settings.update');
  const draft = useModeDraft();
  const [isOpen, open] = useState(!isWhole);
  const listed = isOpen ? rules : rules.filter(({ hits_24h: own }) => own > 0);
  const groups = [...new Set(rules.map(({ group }) => group))];
  return (
    <>
      <tr class="rule-group">
        <th scope="rowgroup" colSpan={2}>
          <Button class="ghost" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
            <Icon name="next" />
            <NameText text={spaced(name)} />
            <span class="muted">{plural(rules.length, 'rule')}</span>
          </Button>
        </th>
        <td>
          {isOpen && isWhole && (
            <Select
              aria-label={`Mode of all rules of ${spaced(name)}`}
              value=""
              disabled={!may.isAllowed}
              choices={[['', 'Set all to …'], ...asChoices(MODE_NAMES)]}
              onChoose={(mode) => draft(Object.fromEntries(groups.map((id) => [id, mode as ModeName])))}
            />
          )}
        </td>
        {/* Without a link: a prompt in which several rules matched counts several times. */}
        <td class="number" data-label="Matches, 24 h">
          {count(hits)}
        </td>
        <PrecisionCell reviews={reviews} />
      </tr>
      {inOrder(listed, query['sort']).map((rule) => (
        <RuleRow key={rule.id} rule={rule} counted={counted} />
      ))}
    </>
  );
}

function RuleRow({ rule, counted }: { readonly rule: Rule; readonly counted: RuleListData['window'] }) {
  const { query } = useAddress();
  const isOwn = rule.source === 'settings';
  // All rules of operators have the same description.
  const [first, second] = isOwn ? [rule.id, rule.description] : [rule.description, rule.id];
  return (
    <tr>
      <td>
        <a href={href('/rules', { ...query, rule: rule.id })} data-row>
          <NameText text={first} />
        </a>
        <p class="muted small break">
          <NameText text={second} />
        </p>
      </td>
      <td data-label="Severity">{rule.severity}</td>
      <JudgeCells judge={rule} counted={counted} isOwn={isOwn} />
    </tr>
  );
}
