import { useState } from 'preact/hooks';
import type { AUDIT_FILTERS, FacetField } from '#contracts/audit/filter.js';
import { REVIEW_FILTERS } from '#contracts/audit/review.store.js';
import { type Query, useAddress } from '../../data/page.js';
import { useAnswer } from '../../data/requests.js';
import { count } from '../../text/format.js';
import { OUTCOME_WORDS, spaced } from '../../text/names.js';
import { Button, Form, Icon, Select, typed } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { Loaded } from '../../ui/screen.js';

export type FilterName = Exclude<(typeof AUDIT_FILTERS)[number], 'q'>;

/** Every filter of the list; they have the same names in the address. */
export const NAMES: Readonly<Record<FilterName, string>> = {
  control: 'Control',
  outcome: 'Outcome',
  rule_id: 'Rule',
  application: 'Application',
  principal_id: 'Principal',
  tool: 'Tool',
  origin: 'Origin',
  ruleset_version: 'Ruleset',
  review: 'Review',
  matched: 'Matched rule',
  kind: 'Output finding',
  detector: 'Detector',
  run_id: 'Run',
  request_id: 'Request',
  errored: 'Errored',
  blocked: 'Blocked',
  from: 'From',
  to: 'To',
};

/** Filters whose values the API counts. */
const FACETS: Readonly<Record<FacetField, true>> = {
  control: true,
  outcome: true,
  rule_id: true,
  application: true,
  principal_id: true,
  tool: true,
  origin: true,
  ruleset_version: true,
};

export const FILTERS = Object.keys(NAMES) as FilterName[];

/** The filters of an address, for the API. All controls are shown unless one is chosen. */
export function filtersOf(query: Query): Query {
  const given = Object.entries(query).filter(([name]) => name in NAMES || name === 'q');
  return { control: 'all', ...Object.fromEntries(given) };
}

function shown(name: FilterName, value: string): string {
  return name === 'outcome' ? ((OUTCOME_WORDS as Query)[value] ?? value) : value;
}

export function Filters() {
  const { query, change } = useAddress();
  const [added, add] = useState<FilterName | null>(null);
  const given = FILTERS.filter(
    (name) => query[name] !== undefined && !(name === 'control' && query[name] === 'all'),
  );
  return (
    <div class="stack-s">
      <Form class="filters" role="search" onSend={(textOf) => change({ q: textOf('q') })}>
        <input
          type="search"
          name="q"
          data-search
          aria-label="Search in texts"
          placeholder="Search in texts"
          defaultValue={query['q'] ?? ''}
          key={query['q'] ?? ''}
        />
        <label>
          <span class="visually-hidden">Add a filter</span>
          <Select
            value=""
            choices={[['', 'Add a filter'], ...FILTERS.map((name) => [name, NAMES[name]] as const)]}
            onChoose={(name) => add(name as FilterName)}
          />
        </label>
      </Form>
      {(given.length > 0 || added !== null) && (
        <div class="filters">
          {given.map((name) => (
            <span class="token" key={name}>
              <span class="cut">
                {NAMES[name]}: <PlainText text={shown(name, query[name] ?? '')} />
              </span>
              <Button
                class="ghost small"
                aria-label={`Remove the filter ${NAMES[name]}`}
                onClick={() => change({ [name]: undefined })}
              >
                <Icon name="close" />
              </Button>
            </span>
          ))}
        </div>
      )}
      {added !== null && (
        <Values
          key={added}
          name={added}
          onChoose={(value) => {
            add(null);
            if (value !== undefined) change({ [added]: value });
          }}
        />
      )}
    </div>
  );
}

interface Choosing {
  readonly name: FilterName;
  /** `undefined`: none was chosen. */
  readonly onChoose: (value?: string) => void;
}

/** The values of a filter with their numbers of entries, or a field where the API counts none. */
function Values({ name, onChoose }: Choosing) {
  const [text, setText] = useState('');
  return (
    <div class="card">
      <div class="split">
        <h2>{NAMES[name]}</h2>
        <Button class="ghost" onClick={() => onChoose()}>
          Cancel
        </Button>
      </div>
      {name in FACETS && <FacetValues name={name} onChoose={onChoose} />}
      {name === 'review' && (
        <div class="row">
          {REVIEW_FILTERS.map((value) => (
            <Button key={value} onClick={() => onChoose(value)}>
              {spaced(value)}
            </Button>
          ))}
        </div>
      )}
      <Form class="filters" onSend={() => text.trim() !== '' && onChoose(text.trim())}>
        <label class="field">
          {name === 'from' || name === 'to' ? 'Time in UTC, such as 2026-03-31T09:00' : 'Exact value'}
          <input value={text} onInput={typed(setText)} autofocus />
        </label>
        <button type="submit" class="primary">
          Filter
        </button>
      </Form>
    </div>
  );
}

function FacetValues({ name, onChoose }: Choosing) {
  const { query } = useAddress();
  const { [name]: _, ...others } = filtersOf(query);
  const facets = useAnswer('audit.facets', { query: { ...others, field: name } });
  return (
    <Loaded resource={facets} lines={4}>
      {({ values, partial }) => (
        <>
          <ul class="facet-values">
            {values.map(
              ({ value, count: entries }) =>
                value !== null && (
                  <li key={value}>
                    <Button class="ghost" onClick={() => onChoose(value)}>
                      <span class="cut">
                        <PlainText text={shown(name, value)} />
                      </span>
                      <span class="muted number">{count(entries)}</span>
                    </Button>
                  </li>
                ),
            )}
          </ul>
          {partial === true && <p class="muted">Counted over the newest entries only.</p>}
        </>
      )}
    </Loaded>
  );
}
