import { useState } from 'preact/hooks';
import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { count, percent, plural } from '../../text/format.js';
import { Dialog } from '../../ui/dialog.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { Loaded } from '../../ui/states.js';
import { ModeStatus } from '../../ui/status.js';
import { ModeChange } from './mode-change.js';
import { hitsOf, type Reading, type Rule } from './rules.js';

/** Longer patterns are folded. */
const FOLDED_LENGTH = 600;

const ORIGIN_NAMES = { prompt: 'prompts', document: 'documents', tool_result: 'results of tools' } as const;

/** One rule: what it looks for, what it did, and its mode. */
export function RuleDrawer({
  rule,
  reading,
  onChanged,
  onClose,
}: {
  readonly rule: Rule;
  readonly reading: Reading;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}) {
  const { true_positive: right, false_positive: wrong, unsure, precision } = rule.reviews;
  return (
    <Dialog kind="drawer" title={<NameText text={rule.id} />} onClose={onClose}>
      <div class="stack">
        <p>
          <PlainText text={rule.description} /> <PlainText text={rule.rationale} />
        </p>
        <dl class="facts">
          <dt>Group</dt>
          <dd class="mono break">
            <PlainText text={rule.group} />
          </dd>
          <dt>Mode</dt>
          <dd>
            <ModeStatus mode={rule.mode} />
          </dd>
          <dt>Severity</dt>
          <dd>{rule.severity}</dd>
          <dt>Source</dt>
          <dd>
            {rule.source === 'built_in' ? (
              'built in'
            ) : (
              <a href={href('/settings', { key: 'input_screen.patterns' })}>your patterns</a>
            )}
          </dd>
          <dt>Tags</dt>
          <dd>
            <PlainText text={rule.tags.join(', ') || 'none'} />
          </dd>
          <dt>Applies to</dt>
          <dd>{rule.origins.map((origin) => ORIGIN_NAMES[origin]).join(', ')}</dd>
          <dt>Confidence</dt>
          <dd>
            {rule.confidence}
            {rule.confidence !== 'high' && (
              <>
                {' '}
                (<a href={href('/settings', { key: 'input_screen.profile' })}>the profile</a> decides whether
                it may block)
              </>
            )}
          </dd>
          <dt>OWASP</dt>
          <dd>{rule.owasp.join(', ')}</dd>
          {rule.references.length > 0 && (
            <>
              <dt>References</dt>
              <dd>{rule.references.join(', ')}</dd>
            </>
          )}
          <dt>Last 24 hours</dt>
          <dd>
            Matched <a href={hitsOf(rule, reading)}>{plural(rule.hits_24h, 'prompt')}</a>.{' '}
            {rule.silenced_24h > 0 &&
              `In ${plural(rule.silenced_24h, 'prompt')} it matched in an exception, which does not count.`}
          </dd>
          <dt>Reviews, 90 days</dt>
          <dd>
            {right + wrong + unsure === 0
              ? 'None yet.'
              : `${count(right)} attacks, ${count(wrong)} false alarms, ${count(unsure)} unsure.`}
            {precision !== null && ` Precision ${percent(precision)}.`}
          </dd>
        </dl>
        <ModeChange
          changed={{
            id: rule.id,
            mode: rule.mode,
            noun: 'rule',
            enforcesByDefault: rule.source === 'built_in' && rule.confidence === 'high',
          }}
          onChanged={onChanged}
        />
        <Pattern id={rule.id} before={reading.rules.indexOf(rule)} />
      </div>
    </Dialog>
  );
}

/** The list comes without patterns and examples, which are most of the answer. */
function Pattern({ id, before }: { readonly id: string; readonly before: number }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const details = useResource(`pattern ${before} ${id}`, async (signal) => {
    const { data } = await client.call('rules.index', {
      query: { cursor: before || undefined, limit: 1 },
      signal,
    });
    const {
      pattern = '',
      examples = [],
      near_misses: nearMisses = [],
    } = data.rules.find((rule) => rule.id === id) ?? {};
    return { pattern, examples, nearMisses };
  });
  return (
    <Loaded resource={details} lines={4}>
      {({ pattern, examples, nearMisses }) => (
        <section class="stack-s">
          <Texts title="Finds" texts={examples} />
          <Texts title="Does not find" texts={nearMisses} />
          <h3>Pattern</h3>
          <pre class="code break" tabIndex={0} aria-label="Pattern">
            <PlainText
              text={
                isUnfolded || pattern.length <= FOLDED_LENGTH
                  ? pattern
                  : `${pattern.slice(0, FOLDED_LENGTH)} …`
              }
            />
          </pre>
          {pattern.length > FOLDED_LENGTH && (
            <button type="button" class="link" onClick={() => setUnfolded(!isUnfolded)}>
              {isUnfolded ? 'Show less' : `Show all ${count(pattern.length)} characters`}
            </button>
          )}
        </section>
      )}
    </Loaded>
  );
}

function Texts({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
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
