/** One rule or screener: what it did, and its mode. */
import { useState } from 'preact/hooks';
import type { RuleListData } from '#client/index.js';
import { MODE_NAMES, type ModeName } from '#contracts/common/control-mode.js';
import type { SCREENED_ORIGINS } from '#contracts/screening/screening.js';
import { href } from '../../data/page.js';
import { useAnswer, useWrite } from '../../data/requests.js';
import { client, useMay } from '../../data/session.js';
import { count, percent, plural } from '../../text/format.js';
import { MODE_MEANING } from '../../text/names.js';
import { announce } from '../../ui/announcer.js';
import { Button, CountLink, Fact } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { ErrorBox, Loaded } from '../../ui/screen.js';
import { ModeStatus } from '../../ui/values.js';

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
  const { precision, true_positive: right, false_positive: wrong } = judge.reviews;
  return (
    <>
      <td data-label="Mode">
        <ModeStatus mode={judge.mode} />
        {isOwn && <span class="tag">yours</span>}
      </td>
      <td class="number" data-label="Matched, 24 h">
        <CountLink value={judge.hits_24h} to={hitsOf(judge, counted)} />
      </td>
      <td class="number" data-label="Precision">
        {precision === null ? (
          <span class="muted" title="not reviewed">
            –<span class="visually-hidden"> not reviewed</span>
          </span>
        ) : (
          <>
            {percent(precision)} of {count(right + wrong)}
          </>
        )}
      </td>
    </>
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
  onChanged,
  onClose,
}: OfRule & {
  readonly counted: RuleListData['window'];
  readonly onChanged: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog kind="drawer" title={<NameText text={rule.id} />} onClose={onClose}>
      <div class="stack">
        <p>
          <PlainText text={rule.description} /> <PlainText text={rule.rationale} />
        </p>
        <Facts rule={rule} counted={counted} />
        <ModeChange
          changed={rule}
          noun="rule"
          enforcesByDefault={rule.source === 'built_in' && rule.confidence === 'high'}
          onChanged={onChanged}
        />
        <Pattern rule={rule} place={place} />
      </div>
    </Dialog>
  );
}

function Facts({ rule, counted }: { readonly rule: Rule; readonly counted: RuleListData['window'] }) {
  const { true_positive: right, false_positive: wrong, unsure, precision } = rule.reviews;
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
      <Fact name="Last 24 hours">
        Matched <a href={hitsOf(rule, counted)}>{plural(rule.hits_24h, 'prompt')}</a>.{' '}
        {rule.silenced_24h > 0 &&
          `In ${plural(rule.silenced_24h, 'prompt')} it matched in an exception, which does not count.`}
      </Fact>
      <Fact name="Reviews, 90 days">
        {right + wrong + unsure === 0
          ? 'None yet.'
          : `${count(right)} attacks, ${count(wrong)} false alarms, ${count(unsure)} unsure.`}
        {precision !== null && ` Precision ${percent(precision)}.`}
      </Fact>
    </dl>
  );
}

/** Longer patterns are folded. */
const FOLDED_LENGTH = 600;

/** The list comes without patterns and examples, which are most of the answer. */
function Pattern({ rule: { id }, place }: OfRule) {
  const [isUnfolded, setUnfolded] = useState(false);
  const details = useAnswer('rules.index', { query: { cursor: place || undefined, limit: 1 } });
  return (
    <Loaded resource={details} lines={4}>
      {({ rules }) => {
        const { pattern = '', examples, near_misses: nearMisses } = rules.find((one) => one.id === id) ?? {};
        const isLong = pattern.length > FOLDED_LENGTH;
        return (
          <section class="stack-s">
            <Texts title="Finds" texts={examples} />
            <Texts title="Does not find" texts={nearMisses} />
            <h3>Pattern</h3>
            <pre class="code break" tabIndex={0} aria-label="Pattern">
              <PlainText text={isLong && !isUnfolded ? `${pattern.slice(0, FOLDED_LENGTH)} …` : pattern} />
            </pre>
            {isLong && (
              <Button class="link" onClick={() => setUnfolded(!isUnfolded)}>
                {isUnfolded ? 'Show less' : `Show all ${count(pattern.length)} characters`}
              </Button>
            )}
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

const KEY = 'input_screen.rule_modes';

/** Sets the mode of one rule or screener: the first press shows what changes, the second one saves it. */
export function ModeChange({
  changed: { id, mode: current },
  noun,
  enforcesByDefault = false,
  onChanged,
}: {
  readonly changed: Pick<Rule, 'id' | 'mode'>;
  readonly noun: 'rule' | 'screener';
  /** Whether it enforces without an entry in the setting. */
  readonly enforcesByDefault?: boolean;
  readonly onChanged: () => void;
}) {
  const may = useMay('settings.update');
  const [chosen, choose] = useState<ModeName | null>(null);
  const { error, isSending, write } = useWrite();
  const save = (mode: ModeName): Promise<void> =>
    write(async () => {
      await saveMode(id, mode === 'enforce' && enforcesByDefault ? null : mode);
      announce(`${id}: ${mode}.`);
      choose(null);
      onChanged();
    });
  return (
    <section class="stack-s">
      <h3>Change the mode of this {noun}</h3>
      {may.reason !== null && <p class="muted">{may.reason}</p>}
      <div class="row" role="group" aria-label="New mode">
        {MODE_NAMES.filter((mode) => mode !== current).map((mode) => (
          <Button
            key={mode}
            may={may}
            disabled={isSending}
            aria-pressed={chosen === mode}
            onClick={() => choose(chosen === mode ? null : mode)}
          >
            {mode}
          </Button>
        ))}
      </div>
      <ErrorBox error={error} />
      {chosen !== null && (
        <div class={`notice ${chosen === 'enforce' ? 'waiting' : 'blocked'}`}>
          <p>
            Now it {MODE_MEANING[current]}. Then it {MODE_MEANING[chosen]}
            {chosen !== 'enforce' && ': this weakens input screening'}.
          </p>
          <Button class="primary" disabled={isSending} onClick={() => void save(chosen)}>
            {isSending ? 'Saving …' : `Set this ${noun} to ${chosen}`}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Only this mode changes: `If-Match` refuses the request if the settings changed after they were read. */
async function saveMode(id: string, mode: ModeName | null): Promise<void> {
  const { data, etag } = await client.call('settings.show');
  const { input_screen: screening } = data.settings as {
    readonly input_screen?: { readonly rule_modes?: Readonly<Record<string, ModeName>> };
  };
  const { [id]: _, ...others } = screening?.rule_modes ?? {};
  const modes = mode === null ? others : { ...others, [id]: mode };
  await client.call('settings.update', { body: { settings: { [KEY]: modes } }, ifMatch: etag ?? undefined });
}
