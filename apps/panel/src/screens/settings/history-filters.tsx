import { useAddress } from '../../data/address.js';

const FIELDS = [
  ['actor', 'Actor', 'ops-1'],
  ['key', 'Key', 'modes.hitl'],
  ['from', 'From, in UTC', '2026-03-01'],
  ['to', 'To, in UTC', '2026-03-31'],
] as const;

export function HistoryFilters({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { change } = useAddress();
  return (
    <form
      class="filters history-filters"
      role="search"
      key={JSON.stringify(query)}
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        change(
          Object.fromEntries(
            FIELDS.map(([name]) => {
              const text = given.get(name);
              return [name, typeof text === 'string' ? text.trim() || undefined : undefined];
            }),
          ),
        );
      }}
    >
      {FIELDS.map(([name, label, example]) => (
        <label class="field" key={name}>
          {label}
          <input name={name} defaultValue={query[name] ?? ''} placeholder={example} />
        </label>
      ))}
      <button type="submit">Filter</button>
      {FIELDS.some(([name]) => query[name] !== undefined) && (
        <button
          type="button"
          class="ghost"
          onClick={() => change({ actor: undefined, key: undefined, from: undefined, to: undefined })}
        >
          Remove filters
        </button>
      )}
    </form>
  );
}
