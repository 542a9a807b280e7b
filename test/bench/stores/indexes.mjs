/**
 * Drops the keys and indexes of tables for a bulk load and returns the statements that create them again, as the
 * catalogue defines them.
 */
export async function setAsideIndexes(client, tables) {
  const { rows: keys } = await client.query(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype in ('p', 'u') and conrelid::regclass::text = any($1)`,
    [tables],
  );
  const { rows: indexes } = await client.query(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid::regclass::text = any($1)
       and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
    [tables],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  const statements = [
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
    ...indexes.map(({ definition }) => definition),
  ];
  return async (workers, say) => {
    // Creating a key locks the whole table, so keys are created first, one by one. Indexes of a table can be created in parallel.
    const [first] = workers;
    for (const statement of statements.slice(0, keys.length)) await first.query(statement);
    const waiting = statements.slice(keys.length);
    await Promise.all(
      workers.map(async (worker) => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          say(`indexes, ${waiting.length + 1} left`);
          await worker.query(next);
        }
      }),
    );
  };
}
