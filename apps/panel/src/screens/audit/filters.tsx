import { useState } from 'preact/hooks';
import type { AuditFacetsData } from '#client/index.js';
import { useAddress } from '../../data/address.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { count } from '../../text/format.js';
import { Icon } from '../../ui/icon.js';
import { PlainText } from '../../ui/plain-text.js';
import { Loaded } from '../../ui/states.js';

/** Filters of the list by their names in the API and in the address. */
const NAMES = {
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
} as const;

type FilterName = keyof typeof NAMES;

const FACETS: readonly FilterName[] = [
  'control',
  'outcome',
  'rule_id',
  'application',
  'principal_id',
  'tool',
  'origin',
  'ruleset_version',
];

/** The filters of an address, for the API. All controls are shown unless one is chosen. */
export function filtersOf(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const given = Object.entries(query).filter(([name]) => name in NAMES || name === 'q');
  return { control: 'all', ...Object.fromEntries(given) };
}

export function Filters({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { change } = useAddress();
  const [added, add] = useState<FilterName | null>(null);
  const given = (Object.keys(NAMES) as FilterName[]).filter(
    (name) => query[name] !== undefined && !(name === 'control' && query[name] === 'all'),
  );
  return (
    <div class="stack-s">
      <form
        class="filters"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const text = new FormData(event.currentTarget).get('q');
          change({ q: typeof text === 'string' && text !== '' ? text : undefined });
        }}
      >
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
          <select
            value=""
            onChange={(event) => {
              add(event.currentTarget.value as FilterName);
              event.currentTarget.value = '';
            }}
          >
            <option value="">Add a filter</option>
            {(Object.keys(NAMES) as FilterName[]).map((name) => (
              <option key={name} value={name}>
                {NAMES[name]}
              </option>
            ))}
          </select>
        </label>
      </form>
      {(given.length > 0 || added !== null) && (
        <div class="filters">
          {given.map((name) => (
            <span class="token" key={name}>
              <span class="cut">
                {NAMES[name]}: <PlainText text={query[name] ?? ''} />
              </span>
              <button
                type="button"
                class="ghost small"
                aria-label={`Remove the filter ${NAMES[name]}`}
                onClick={() => change({ [name]: undefined })}
              >
                <Icon name="close" />
              </button>
            </span>
          ))}
        </div>
      )}
      {added !== null && (
        <Values
          name={added}
          filters={filtersOf(query)}
          onChoose={(value) => {
            add(null);
            change({ [added]: value });
          }}
          onCancel={() => add(null)}
        />
      )}
    </div>
  );
}

/** The values of a filter with their numbers of entries, or a field where the API counts none. */
function Values({
  name,
  filters,
  onChoose,
  onCancel,
}: {
  readonly name: FilterName;
  readonly filters: Readonly<Record<string, string>>;
  readonly onChoose: (value: string) => void;
  readonly onCancel: () => void;
}) {
  const [text, setText] = useState('');
  const others = Object.fromEntries(Object.entries(filters).filter(([filter]) => filter !== name));
  return (
    <div class="card">
      <div class="split">
        <h2>{NAMES[name]}</h2>
        <button type="button" class="ghost" onClick={onCancel}>
          Cancel
        </button>
      </div>
      {FACETS.includes(name) && <FacetValues name={name} filters={others} onChoose={onChoose} />}
      {name === 'review' && (
        <div class="row">
          {['none', 'any', 'false_positive', 'true_positive', 'unsure'].map((value) => (
            <button type="button" key={value} onClick={() => onChoose(value)}>
              {value.replace('_', ' ')}
            </button>
          ))}
        </div>
      )}
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') onChoose(text.trim());
        }}
      >
        <label class="field">
          {name === 'from' || name === 'to' ? 'Time in UTC, such as 2026-03-31T09:00' : 'Exact value'}
          <input value={text} onInput={(event) => setText(event.currentTarget.value)} autofocus />
        </label>
        <button type="submit" class="primary">
          Filter
        </button>
      </form>
    </div>
  );
}

function FacetValues({
  name,
  filters,
  onChoose,
}: {
  readonly name: FilterName;
  readonly filters: Readonly<Record<string, string>>;
  readonly onChoose: (value: string) => void;
}) {
  const facets = useResource<AuditFacetsData>(`facets ${name} ${JSON.stringify(filters)}`, async (signal) => {
    const { data } = await client.call('audit.facets', { query: { ...filters, field: name }, signal });
    return data;
  });
  return (
    <Loaded resource={facets} lines={4}>
      {({ values, partial }) => (
        <>
          <ul class="facet-values">
            {values.map(({ value, count: entries }) =>
              value === null ? null : (
                <li key={value}>
                  <button type="button" class="ghost" onClick={() => onChoose(value)}>
                    <span class="cut">
                      <PlainText text={value} />
                    </span>
                    <span class="muted number">{count(entries)}</span>
                  </button>
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
