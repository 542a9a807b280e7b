import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { AUDIT_FILTERS, TrendQuery } from '#contracts/audit/filter.js';
import { FACET_FIELDS } from '#contracts/audit/record.js';
import { REVIEW_FILTERS } from '#contracts/audit/review.store.js';
import type { RunsQuery } from '#contracts/audit/runs.api.js';
import { type Query, useAddress } from '../../data/page.js';
import { rangeQuery, useRange } from '../../data/range.js';
import { useAnswer } from '../../data/requests.js';
import { Button, Form, Icon, Select } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';

export type FilterName = Exclude<(typeof AUDIT_FILTERS)[number], 'q' | 'from' | 'to'>;

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
};

export const FILTERS = Object.keys(NAMES) as FilterName[];

const BOTH = ['control', 'outcome', 'application', 'principal_id', 'from', 'to'] as const;

/** The filters of runs. With another one the entries are listed. */
export const OF_RUNS: readonly string[] = [...BOTH, 'run_id'] satisfies (keyof RunsQuery)[];

/** The filters of the histogram. With another one there is none. */
export const OF_TREND: readonly string[] = [
  ...BOTH,
  'rule_id',
  'blocked',
  'q',
] satisfies (keyof TrendQuery)[];

/** Those that can be added. Another part of the screen shows the others. */
const ADDED = FILTERS.filter((name) => !['control', 'outcome', 'principal_id'].includes(name));

/** The filters of the address, for the API. All controls are shown unless one is chosen. */
export function useAuditFilters(): Query {
  const { query } = useAddress();
  const range = useRange();
  const given = Object.entries(query).filter(([name]) => name in NAMES || name === 'q');
  return { control: 'all', ...Object.fromEntries(given), ...rangeQuery(range) };
}

export function areAmong(names: readonly string[], filters: Query): boolean {
  return Object.keys(filters).every((name) => names.includes(name));
}

export function Filters() {
  const { query, change } = useAddress();
  const [added, add] = useState<FilterName | null>(null);
  const { q: search = '', principal_id: principal = '' } = query;
  return (
    <div class="stack-s">
      <Form
        class="filters"
        role="search"
        onSend={(textOf) => {
          const [q, principal_id] = [textOf('q'), textOf('principal_id')];
          // Enter changes a field, and then sends the form.
          if (q !== search || principal_id !== principal) change({ q, principal_id });
        }}
      >
        <input
          type="search"
          name="q"
          data-search
          aria-label="Search in texts"
          placeholder="Search in texts"
          defaultValue={search}
          key={search}
          onChange={sendForm}
        />
        <Value
          name="principal_id"
          aria-label="Principal"
          placeholder="Principal"
          defaultValue={principal}
          key={`principal ${principal}`}
          onChange={sendForm}
        />
        <Select
          aria-label="Add a filter"
          value=""
          choices={[['', 'Add a filter'], ...ADDED.map((name) => [name, NAMES[name]] as const)]}
          onChoose={(name) => add(name as FilterName)}
        />
        {/* With two fields, Enter sends a form only if it has such a button. */}
        <button type="submit" hidden />
      </Form>
      {added !== null && (
        <Form
          key={added}
          class="filters"
          onSend={(textOf) => {
            add(null);
            change({ [added]: textOf(added) });
          }}
        >
          <label class="field">
            {NAMES[added]}
            <Value name={added} autofocus />
          </label>
          <button type="submit" class="primary">
            Filter
          </button>
          <Button onClick={() => add(null)}>Cancel</Button>
        </Form>
      )}
      <div class="filters">
        {ADDED.map(
          (name) =>
            query[name] !== undefined && (
              <span class="token" key={name}>
                <span class="cut">
                  {NAMES[name]}: <PlainText text={query[name]} />
                </span>
                <Button
                  class="ghost small"
                  aria-label={`Remove the filter ${NAMES[name]}`}
                  onClick={() => change({ [name]: undefined })}
                >
                  <Icon name="close" />
                </Button>
              </span>
            ),
        )}
      </div>
    </div>
  );
}

/** All fields apply together, also one that was emptied before. */
function sendForm({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void {
  currentTarget.form?.requestSubmit();
}

/** A field for the value of a filter, which suggests the most frequent ones. */
function Value({ name, ...others }: ComponentProps<'input'> & { readonly name: FilterName }) {
  const [isUsed, use] = useState(false);
  return (
    <>
      <input {...others} name={name} list={`values-${name}`} onFocus={() => use(true)} />
      <datalist id={`values-${name}`}>
        {name === 'review' && REVIEW_FILTERS.map((value) => <option key={value} value={value} />)}
        {isUsed && FACET_FIELDS.some((field) => field === name) && <Frequent name={name} />}
      </datalist>
    </>
  );
}

function Frequent({ name }: { readonly name: FilterName }) {
  const { [name]: _, ...others } = useAuditFilters();
  const { data } = useAnswer('audit.facets', { query: { ...others, field: name } });
  return data?.values.map(({ value }) => value !== null && <option key={value} value={value} />);
}
