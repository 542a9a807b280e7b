import { RETENTION_SETTING } from '../dialects/postgres-guards.js';
import { tableName, tablesOf, type TableNaming } from '../tables.js';
import { IDS_OF_A_MONTH, MONTH_FUNCTIONS, MONTHLY_TABLES, monthFunction, MONTHS_AHEAD } from './months.js';

/**
 * What only the owner of the tables may do, and a role that is allowed to call it may do in this very way: make the
 * months to come, let ids go on with the month that is, and drop one for a recorded run. The first months come with them.
 */
export function monthStatements(naming: TableNaming): readonly string[] {
  const tables = tablesOf(naming);
  return [
    makeMonth(naming),
    makeMonths(naming),
    turnMonth(naming),
    dropMonth(naming),
    ...MONTH_FUNCTIONS.map((name) => `revoke all on function ${monthFunction(tables, name)} from public`),
    `select ${monthFunction(tables, 'make_months')}()`,
    `select ${monthFunction(tables, 'turn_month')}()`,
  ];
}

export function dropMonthFunctions(naming: TableNaming): readonly string[] {
  return MONTH_FUNCTIONS.map((name) => `drop function if exists ${monthFunction(tablesOf(naming), name)}`);
}

/** Each partition is made beside the table and then attached: nobody waits for it. TRUNCATE of one asks only its own trigger. */
const makeMonth = (naming: TableNaming): string =>
  functionOf(naming, {
    name: 'make_month',
    takes: 'month integer',
    returns: 'void',
    declares: 'monthly record; made text; only_this text; grantee oid;',
    body: `
      execute format('lock table only %I.%I in share update exclusive mode', place, ${literal(naming, 'evidence')});
      for monthly in select * from ${monthlyTables(naming)} loop
        made := monthly.name || to_char(first_month + make_interval(months => month), '_YYYY_MM');
        only_this := format('%I.%I', place, made);
        continue when to_regclass(only_this) is not null;
        execute format('create table %s (like %I.%I including defaults including storage)', only_this, place, monthly.name);
        if monthly.append_only then
          execute format('create trigger append_only before update or delete or truncate on %s
            for each statement execute function %I.%I()', only_this, place, '${naming.tablePrefix}append_only');
        end if;
        for grantee in select distinct a.grantee from pg_class c, aclexplode(c.relacl) a
            where c.oid = to_regclass(only_this) and a.grantee <> c.relowner loop
          execute format('revoke all on %s from %s', only_this,
            case when grantee = 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end);
        end loop;
        execute format('alter table %I.%I attach partition %s for values from (%s) to (%s)',
          place, monthly.name, only_this, month * ids, (month + 1) * ids);
      end loop;`,
  });

const makeMonths = (naming: TableNaming): string =>
  functionOf(naming, {
    name: 'make_months',
    takes: '',
    returns: 'void',
    security: 'definer',
    body: `
      for ahead in 0..${MONTHS_AHEAD} loop
        if not ${monthIsThere(naming, 'this_month + ahead')} then
          execute format('select %I.%I($1)', place, '${naming.tablePrefix}make_month') using this_month + ahead;
        end if;
      end loop;`,
  });

/** Answers how many seconds this month still has. Only what is committed is turned to: no id may be without a partition. */
const turnMonth = (naming: TableNaming): string =>
  functionOf(naming, {
    name: 'turn_month',
    takes: '',
    returns: 'double precision',
    security: 'definer',
    declares: 'given text; reached bigint;',
    body: `
      if not ${monthIsThere(naming, 'this_month')} then
        raise exception 'The partitions of %are not there', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM ')
          using hint = 'New entries stay with an earlier month until the owner of the tables has made them.';
      end if;
      given := pg_get_serial_sequence(format('%I.%I', place, ${literal(naming, 'evidence')}), 'id');
      execute format('select last_value from %s', given) into reached;
      if reached < this_month * ids then
        execute format('lock table only %I.%I in share update exclusive mode', place, ${literal(naming, 'evidence')});
        execute format('select last_value from %s', given) into reached;
        if reached < this_month * ids then perform setval(given, this_month * ids + 1, false); end if;
      end if;
      return extract(epoch from first_month + make_interval(months => this_month + 1) - clock_timestamp() at time zone 'UTC');`,
  });

/**
 * For a run that this transaction has recorded, that purges by age, and that is younger than every hour of the month;
 * and once no id of that month is given any more. Answers `false` where somebody is reading for longer than a moment: for
 * longer than PostgreSQL waits before it stops a vacuum that is in the way. Other months are nobody's concern here.
 */
const dropMonth = (naming: TableNaming): string =>
  functionOf(naming, {
    name: 'drop_month',
    takes: 'month integer',
    returns: 'boolean',
    security: 'definer',
    settings: `set lock_timeout = '1500ms'`,
    declares: `
      run text := nullif(current_setting('${RETENTION_SETTING}', true), '');
      reached bigint; may boolean; monthly record;`,
    body: `
      execute format('select last_value from %s',
        pg_get_serial_sequence(format('%I.%I', place, ${literal(naming, 'evidence')}), 'id')) into reached;
      execute format('select exists (
          select 1 from %I.%I r
          where r.id::text = $1 and r.xmin = pg_current_xact_id()::xid and r.finished_at is null
            and r.strategy = ''purge'' and r.scope::jsonb ->> ''kind'' = ''before''
            and $4 <= (r.scope::jsonb ->> ''before'')::timestamptz
            and not exists (select 1 from %I.%I h where h.max_id >= $2 and h.min_id < $3
              and (h.hour || '':00:00Z'')::timestamptz + interval ''1 hour'' > (r.scope::jsonb ->> ''before'')::timestamptz))',
          place, ${literal(naming, 'retentionRuns')}, place, ${literal(naming, 'hours')})
        into may using run, month * ids, (month + 1) * ids,
          (first_month + make_interval(months => month + 1)) at time zone 'UTC';
      if not may or reached < (month + 1) * ids then
        raise exception 'Month % is not expired for a run that this transaction has recorded', month
          using errcode = '42501';
      end if;
      begin
        for monthly in select * from ${monthlyTables(naming)} loop
          execute format('lock table only %I.%I in access exclusive mode', place, monthly.name);
        end loop;
        for monthly in select * from ${monthlyTables(naming)} loop
          execute format('lock table %I.%I in access exclusive mode', place,
            monthly.name || to_char(first_month + make_interval(months => month), '_YYYY_MM'));
        end loop;
      exception when lock_not_available then return false;
      end;
      for monthly in select * from ${monthlyTables(naming)} loop
        execute format('drop table %I.%I', place,
          monthly.name || to_char(first_month + make_interval(months => month), '_YYYY_MM'));
      end loop;
      return true;`,
  });

interface FunctionParts {
  readonly name: (typeof MONTH_FUNCTIONS)[number];
  readonly takes: string;
  readonly returns: string;
  readonly security?: 'definer';
  readonly settings?: string;
  readonly declares?: string;
  readonly body: string;
}

/** The schema is known for good once the function is made: nobody's search path leads it elsewhere. */
function functionOf(naming: TableNaming, parts: FunctionParts): string {
  const { name, takes, returns, security = 'invoker', settings = '', declares = '', body } = parts;
  const schema = naming.schema === undefined ? 'current_schema()' : `'${naming.schema}'`;
  return `do $do$ begin execute format($create$
    create function %1$I.${naming.tablePrefix}${name}(${takes}) returns ${returns}
    language plpgsql security ${security} set search_path = pg_catalog, pg_temp ${settings} as $month$
    declare
      place constant text := %1$L;
      ids constant bigint := ${IDS_OF_A_MONTH};
      first_month constant timestamp := timestamp '2020-01-01';
      this_month constant integer := (extract(year from clock_timestamp() at time zone 'UTC') - 2020) * 12
        + extract(month from clock_timestamp() at time zone 'UTC') - 1;
      ${declares.replaceAll('%', '%%')}
    begin ${body.replaceAll('%', '%%')}
    end $month$ $create$, ${schema}); end $do$`;
}

const literal = (naming: TableNaming, word: Parameters<typeof tableName>[1]): string =>
  `'${tableName(naming, word)}'`;

const monthlyTables = (naming: TableNaming): string =>
  `(values ${MONTHLY_TABLES.map(({ word, appendOnly }) => `(${literal(naming, word)}, ${appendOnly})`).join(', ')})
          as monthly (name, append_only)`;

/** Every table has its partition, attached. */
const monthIsThere = (naming: TableNaming, month: string): string =>
  `(select count(*) = ${MONTHLY_TABLES.length} from pg_inherits i
          join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = place and c.relname in (${MONTHLY_TABLES.map(({ word }) => literal(naming, word))
            .map((name) => `${name} || to_char(first_month + make_interval(months => ${month}), '_YYYY_MM')`)
            .join(', ')}))`;
