import { Client } from 'pg';

/** Connections, locks and the sizes of our tables, read on one connection of its own. */
export class DatabaseProbe {
  #client;
  #tables;

  constructor(url) {
    this.#client = new Client(url);
  }

  async open() {
    await this.#client.connect();
    const { rows } = await this.#client.query(
      `select relname as name from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace and starts_with(relname, 'guardrails_')`,
    );
    this.#tables = rows.map(({ name }) => name);
  }

  close() {
    return this.#client.end();
  }

  /** Of all other sessions on this database. `waitedMs` is how long a session waits for a lock at this instant. */
  async locks() {
    const { rows } = await this.#client.query(
      `select
        (select count(*)::int from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()) as connections,
        count(*) filter (where l.granted)::int as held,
        count(*) filter (where not l.granted)::int as waiting,
        coalesce(max(extract(epoch from clock_timestamp() - l.waitstart) * 1000) filter (where not l.granted), 0)::float8
          as "waitedMs"
       from pg_locks l
       where l.pid <> pg_backend_pid() and l.database = (select oid from pg_database where datname = current_database())`,
    );
    return rows[0];
  }

  /** Rows, dead rows and bytes (with indexes) of each table. A row of the log has many leaves, so these are counted. */
  async sizes() {
    const counts = this.#tables.map((name) =>
      name === 'guardrails_log_leaves'
        ? `select '${name}' as name, size::float8 as rows from guardrails_log_state`
        : `select '${name}' as name, count(*)::float8 as rows from ${name}`,
    );
    const { rows } = await this.#client.query(
      `select c.name, c.rows, pg_total_relation_size(s.relid)::float8 as bytes, s.n_dead_tup::float8 as dead
       from (${counts.join(' union all ')}) c join pg_stat_user_tables s on s.relname = c.name`,
    );
    return new Map(rows.map(({ name, ...figures }) => [name.replace('guardrails_', ''), figures]));
  }
}
