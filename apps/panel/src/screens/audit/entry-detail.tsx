import { href } from '../../data/page.js';
import { bytes, count, microseconds } from '../../text/format.js';
import { CONTROL_LABELS } from '../../text/names.js';
import { isJudgement, Judgements } from '../../ui/judgements.js';
import { MarkedText, type Mark } from '../../ui/marked-text.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { ModeStatus, OutcomeStatus } from '../../ui/status.js';
import { exactTime, Time } from '../../ui/time.js';
import { FaultyArguments } from '../firewall/rejected-call.js';
import { EntryActions } from './entry-actions.js';
import type { Entry } from './entry.js';
import { ReviewForm } from './review-form.js';
import { Run } from './run.js';
import { STORAGE, whyOf } from './why.js';

/** One decision with everything that was recorded about it. */
export function EntryDetail({
  entry,
  onReviewed,
}: {
  readonly entry: Entry;
  /** Without it there is no form. */
  readonly onReviewed?: () => void;
}) {
  return (
    <div class="stack">
      <p class="row">
        <OutcomeStatus entry={entry} />
        <span>{CONTROL_LABELS[entry.control]}</span>
        <ModeStatus mode={entry.mode} />
        <Time at={entry.occurred_at} isAlone />
      </p>
      <p>
        <strong>
          <NameText text={whyOf(entry)} />
        </strong>
      </p>
      <Content entry={entry} />
      <p class="muted small">{STORAGE[entry.prompt_storage]}</p>
      <EntryActions entry={entry} />
      {onReviewed !== undefined && <ReviewForm entry={entry} onReviewed={onReviewed} />}
      <Facts entry={entry} />
      {entry.run_id !== null && <Run runId={entry.run_id} current={entry.id} />}
    </div>
  );
}

function Content({ entry }: { readonly entry: Entry }) {
  const { prompt_storage: storage, prompt, violations } = entry;
  if (entry.control === 'tool_firewall')
    return <FaultyArguments text={prompt} storage={storage} violations={violations ?? {}} />;
  if (storage === 'erased' || storage === 'hash') return null;
  const marks = marksOf(entry);
  return (
    <>
      <MarkedText text={prompt} marks={marks} />
      {marks.length > 0 && (
        <ol class="findings">
          {marks.map(({ label, isQuiet }, index) => (
            <li key={index}>
              <NameText text={label} />
              {isQuiet === true && <span class="muted"> (in an exception, so it does not count)</span>}
            </li>
          ))}
        </ol>
      )}
      <Judgements matches={entry.matched_rules} />
      {entry.classifier_words.length > 0 && (
        <p class="small">
          Words with the highest weights in the classifier:{' '}
          <PlainText
            text={entry.classifier_words.map(({ word, weight }) => `${word} (+${count(weight)})`).join(', ')}
          />
        </p>
      )}
    </>
  );
}

function marksOf({ matched_rules: matches, findings }: Entry): readonly Mark[] {
  return [
    ...matches.flatMap((match) => {
      const { rule_id: rule, span, exception, mentioned } = match;
      const label = mentioned === undefined ? rule : `${rule} (only mentioned: ${mentioned})`;
      return span === null || isJudgement(match) ? [] : [{ span, label, isQuiet: exception }];
    }),
    ...findings.flatMap(({ kind, detector, span }) =>
      span === null ? [] : [{ span, label: kind === detector ? kind : `${kind}: ${detector}` }],
    ),
  ];
}

function Facts({ entry }: { readonly entry: Entry }) {
  const links = [
    ['Rule', 'rule_id', entry.rule_id],
    ['Principal', 'principal_id', entry.principal_id],
    ['Application', 'application', entry.application],
    ['Tool', 'tool', entry.tool],
    ['Request', 'request_id', entry.request_id],
    ['Ruleset', 'ruleset_version', entry.ruleset_version],
  ] as const;
  return (
    <dl class="facts">
      {links.map(
        ([label, filter, value]) =>
          value !== null && (
            <>
              <dt>{label}</dt>
              <dd>
                <a href={href('/audit', { [filter]: value })}>
                  <NameText text={value} />
                </a>
              </dd>
            </>
          ),
      )}
      {entry.approval_id !== null && (
        <>
          <dt>Approval</dt>
          <dd>
            <a href={href(`/approvals/${entry.approval_id}`)}>
              Approval {entry.approval_id}, with who decided it
            </a>
          </dd>
        </>
      )}
      <dt>Recorded</dt>
      <dd>{exactTime(entry.occurred_at)}</dd>
      <dt>Origin</dt>
      <dd>{entry.origin.replace('_', ' ')}</dd>
      {entry.rendering !== null && (
        <>
          <dt>Rendering</dt>
          <dd>{entry.rendering}</dd>
        </>
      )}
      {entry.not_judged_rule_ids.length > 0 && (
        <>
          <dt>Not judged by</dt>
          <dd>
            <PlainText text={entry.not_judged_rule_ids.join(', ')} />
            {entry.not_judged_rule_ids.includes('rules') && (
              <p class="muted small">The built-in rules do not read the language of this text.</p>
            )}
          </dd>
        </>
      )}
      <dt>Length</dt>
      <dd>
        {count(entry.prompt_length)} characters, {bytes(new TextEncoder().encode(entry.prompt).length)} stored
      </dd>
      <dt>Duration</dt>
      <dd>{microseconds(entry.duration_us)}</dd>
    </dl>
  );
}
