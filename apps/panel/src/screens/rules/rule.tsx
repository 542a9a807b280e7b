/** One rule or screener: what it did, and its mode. */
import type { RuleListData } from '#client/index.js';
import { MODE_NAMES, type ModeName } from '#contracts/common/control-mode.js';
import type { SCREENED_ORIGINS } from '#contracts/screening/screening.js';
import { href, useAddress } from '../../data/page.js';
import { rangeOf } from '../../data/range.js';
import { useAnswer } from '../../data/requests.js';
import { useMay } from '../../data/session.js';
import { count, plural } from '../../text/format.js';
import { MODE_MEANING } from '../../text/names.js';
import { Sparkline } from '../../ui/charts.js';
import { Button, CountLink, Fact } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { Loaded } from '../../ui/screen.js';
import { Ago, ModeStatus, OutcomeStatus } from '../../ui/values.js';

export type Rule = RuleListData['rules'][number];

/** A rule, or a screener. */
type Judge = Pick<Rule, 'id' | 'mode' | 'hits_24h' | 'reviews'>;

/** The prompts that `hits_24h` counts. */
function hitsOf({ id }: Judge, counted: RuleListData['window']): string {
  return href('/audit', { control: 'input_screen', matched: id, ...counted });
}

/** Its mode, its matches, and the share of reviewed entries that were attacks. */
export function JudgeCells({
  judge,
  counted,
  isOwn = false,
}: {
  readonly judge: Judge;
  readonly counted: RuleListData['window'];
  readonly isOwn?: boolean;
}) {
  return (
    <>
      <td data-label="Mode">
        <ModeStatus mode={judge.mode} />
        {isOwn && <span class="tag">yours</span>}
      </td>
      <td class="number" data-label="Matched, 24 h">
        <CountLink value={judge.hits_24h} to={hitsOf(judge, counted)} />
      </td>
      <PrecisionCell reviews={judge.reviews} />
    </>
  );
}

export function PrecisionCell({ reviews }: { readonly reviews: Omit<Rule['reviews'], 'unsure'> }) {
  const { precision, true_positive: right, false_positive: wrong } = reviews;
  return (
    <td class="number" data-label="Precision">
      {precision === null ? (
        <span class="muted" title="not reviewed">
          –<span class="visually-hidden"> not reviewed</span>
        </span>
      ) : (
        <>
          {count(right)} of {count(right + wrong)}
        </>
      )}
    </td>
  );
}

const ORIGIN_NAMES: Readonly<Record<(typeof SCREENED_ORIGINS)[number], string>> = {
  prompt: 'prompts',
  document: 'documents',
  tool_result: 'results of tools',
};

interface OfRule {
  readonly rule: Rule;
  /** In the list of all rules. */
  readonly place: number;
}

/** What a rule looks for, what it did, and its mode. */
export function RuleDrawer({
  rule,
  place,
  counted,
  onClose,
}: OfRule & {
  readonly counted: RuleListData['window'];
  readonly onClose: () => void;
}) {
  return (
    <Dialog kind="drawer" title={<PlainText text={rule.description} />} onClose={onClose}>
      <div class="stack">
        <p class="break">
          <code>
            <NameText text={rule.id} />
          </code>{' '}
          <PlainText text={rule.rationale} />
        </p>
        <Activity rule={rule} counted={counted} />
        <Facts rule={rule} />
        <ModeChange
          changed={rule}
          noun="rule"
          enforcesByDefault={rule.source === 'built_in' && rule.confidence === 'high'}
        />
        <Pattern rule={rule} place={place} />
      </div>
    </Dialog>
  );
}

const LAST_HITS = 5;

/** The last matches, and the days on which it decided. */
function Activity({ rule, counted }: Pick<OfRule, 'rule'> & { readonly counted: RuleListData['window'] }) {
  const { id, hits_24h: hits, silenced_24h: silenced } = rule;
  const trend = useAnswer('audit.trend', { query: { rule_id: id, from: rangeOf({ last: '30d' }).from } });
  const last = useAnswer('audit.index', { query: { matched: id, limit: LAST_HITS } });
  const totals = trend.data?.points.map(({ total }) => total) ?? [];
  return (
    <section class="stack-s">
      <div class="split">
        <span>
          Matched <a href={hitsOf(rule, counted)}>{plural(hits, 'prompt')}</a> in 24 hours
          {silenced > 0 && `, and ${plural(silenced, 'prompt')} within exceptions, which do not count`}.
          Decided {count(totals.reduce((sum, total) => sum + total, 0))} in 30 days.
        </span>
        <Sparkline values={totals} />
      </div>
      <Loaded resource={last} lines={LAST_HITS}>
        {({ entries }) => (
          <ul class="stack-s">
            {entries.map((entry) => (
              <li key={entry.id} class="last-hit">
                <OutcomeStatus entry={entry} />
                <a class="cut" href={href(`/audit/${entry.id}`)}>
                  <PlainText text={entry.prompt_preview ?? 'not stored'} />
                </a>
                <Ago at={entry.occurred_at} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function Facts({ rule }: Pick<OfRule, 'rule'>) {
  const { true_positive: right, false_positive: wrong, unsure } = rule.reviews;
  return (
    <dl class="facts">
      <Fact name="Group">
        <span class="mono break">
          <PlainText text={rule.group} />
        </span>
      </Fact>
      <Fact name="Mode">
        <ModeStatus mode={rule.mode} />
      </Fact>
      <Fact name="Severity">{rule.severity}</Fact>
      <Fact name="Source">
        {rule.source === 'built_in' ? (
          'built in'
        ) : (
          <a href={href('/settings', { key: 'input_screen.patterns' })}>your patterns</a>
        )}
      </Fact>
      <Fact name="Tags">
        <PlainText text={rule.tags.join(', ') || 'none'} />
      </Fact>
      <Fact name="Applies to">{rule.origins.map((origin) => ORIGIN_NAMES[origin]).join(', ')}</Fact>
      <Fact name="Confidence">
        {rule.confidence}
        {rule.confidence !== 'high' && (
          <>
            {' '}
            (<a href={href('/settings', { key: 'input_screen.profile' })}>the profile</a> decides whether it
            may block)
          </>
        )}
      </Fact>
      <Fact name="OWASP">{rule.owasp.join(', ')}</Fact>
      {rule.references.length > 0 && <Fact name="References">{rule.references.join(', ')}</Fact>}
      <Fact name="Reviews, 90 days">
        {right + wrong + unsure === 0
          ? 'None yet.'
          : `${plural(right, 'attack')}, ${plural(wrong, 'false alarm')}, ${count(unsure)} unsure.`}
      </Fact>
    </dl>
  );
}

/** The list comes without patterns and examples, which are most of the answer. */
function Pattern({ rule: { id }, place }: OfRule) {
  const details = useAnswer('rules.index', { query: { cursor: place || undefined, limit: 1 } });
  return (
    <Loaded resource={details} lines={4}>
      {({ rules }) => {
        const { pattern = '', examples, near_misses: nearMisses } = rules.find((one) => one.id === id) ?? {};
        return (
          <section class="stack-s">
            <Texts title="Finds" texts={examples} />
            <Texts title="Does not find" texts={nearMisses} />
            <details>
              <summary>Pattern, {plural(pattern.length, 'character')}</summary>
              <pre class="code break" tabIndex={0} aria-label="Pattern">
                <PlainText text={pattern} />
              </pre>
            </details>
          </section>
        );
      }}
    </Loaded>
  );
}

function Texts({
  title,
  texts = [],
}: {
  readonly title: string;
  readonly texts?: readonly string[] | undefined;
}) {
  if (texts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <PlainText text={text} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Opens the review of changes, which shows what other modes of rules, groups or screeners would have done. */
export function useModeDraft() {
  const { open } = useAddress();
  return (modes: Readonly<Record<string, ModeName | null>>): void => {
    const drafted = Object.entries(modes).map(([id, mode]) => [
      `draft.input_screen.rule_modes.${id}`,
      `${mode}`,
    ]);
    open('/settings/screening', { ...Object.fromEntries(drafted), review: '1' });
  };
}

/** The ways to another mode of one rule or screener. */
export function ModeChange({
  changed: { id, mode: current },
  noun,
  enforcesByDefault = false,
}: {
  readonly changed: Pick<Rule, 'id' | 'mode'>;
  readonly noun: 'rule' | 'screener';
  /** Whether it enforces without an entry in the setting. */
  readonly enforcesByDefault?: boolean;
}) {
  const may = useMay('settings.update');
  const draft = useModeDraft();
  return (
    <section class="stack-s">
      <h3>Change the mode of this {noun}</h3>
      <p class="muted">
        {may.reason ?? `Now it ${MODE_MEANING[current]}. You see the effect before you save.`}
      </p>
      <div class="row" role="group" aria-label="New mode">
        {MODE_NAMES.filter((mode) => mode !== current).map((mode) => (
          <Button
            key={mode}
            may={may}
            onClick={() => draft({ [id]: mode === 'enforce' && enforcesByDefault ? null : mode })}
          >
            {mode}
          </Button>
        ))}
      </div>
    </section>
  );
}
