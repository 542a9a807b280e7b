import { onServer } from '../postgres/database.js';

/** The contents of each table as one text, without the given columns. */
export async function everyTable(
  url: string,
  hidden: Readonly<Record<string, string>> = {},
): Promise<readonly (readonly [table: string, rows: string])[]> {
  return onServer(async (server) => {
    const { rows: names } = await server.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    const dumps = [];
    for (const { name } of names) {
      const { rows } = await server.query<{ dump: string | null }>(
        `select string_agg((to_jsonb(t) - $1)::text, chr(10)) as dump from "${name}" t`,
        [hidden[name.replace('guardrails_', '')] ?? ''],
      );
      dumps.push([name, rows[0]?.dump ?? ''] as const);
    }
    return dumps;
  }, url);
}
