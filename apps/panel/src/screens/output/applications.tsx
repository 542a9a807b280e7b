import { useAddress } from '../../data/address.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';

/** A choice of the application. It has its place before the names are known, so that nothing below it moves. */
export function Applications({
  from,
  chosen,
}: {
  readonly from: string;
  readonly chosen: string | undefined;
}) {
  const { change } = useAddress();
  const { data = [] } = useResource(`applications ${from}`, async (signal) => {
    const query = { field: 'application', control: 'output_handler', from };
    const { data: facets } = await client.call('audit.facets', { query, signal });
    return facets.values.flatMap(({ value }) => (value === null ? [] : [value]));
  });
  const names = [...new Set([...data, ...(chosen === undefined ? [] : [chosen])])];
  return (
    <label class="row">
      <span class="muted">Application</span>
      <select
        class="application"
        value={chosen ?? ''}
        disabled={names.length === 0}
        onChange={({ currentTarget }) =>
          change({ application: currentTarget.value || undefined }, { replace: true })
        }
      >
        <option value="">all</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
