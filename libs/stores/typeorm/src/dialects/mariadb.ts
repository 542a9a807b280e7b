import { ConfigurationError } from '../../../../contracts/src/errors.js';
import { indexNaming, tablesOf } from '../tables.js';
import { asBase64url, asFlag, asJson, asNumber, scrubbed } from './column-values.js';
import type { Dialect } from './dialect.js';
import { guards } from './mariadb-guards.js';
import { writeBatch } from './mariadb-batch.js';
import { writeEvents } from './mariadb-events.js';
import { mariadbMigrations } from './mariadb-migrations.js';
import { endWriter, markWriter } from './mariadb-writers.js';

/** Of this very moment: `utc_timestamp` alone stands still while a statement waits for a row, and `sysdate` has a zone. */
const NOW = 'timestampadd(microsecond, timestampdiff(microsecond, now(3), sysdate(3)), utc_timestamp(3))';

/**
 * Texts compare by their bytes, trailing spaces included: a name with a space behind it is another name. The comments
 * are for the server: MariaDB and MySQL call that collation differently.
 */
const TEXTS = 'character set utf8mb4 /*M! collate utf8mb4_nopad_bin */ /*!80017 collate utf8mb4_0900_bin */';

/** InnoDB takes 3072 bytes into an index: four for each character. */
const HEAD = 191;

/** MariaDB 10.6 and later. MySQL 8 is written for in the same words. */
export const mariadb: Dialect = {
  name: 'MariaDB',
  writesInQueries: false,

  columns: {
    id: { type: 'bigint', primary: true, generated: 'increment', transformer: asNumber },
    bigInteger: { type: 'bigint', transformer: asNumber },
    integer: { type: 'int' },
    flag: { type: 'boolean', transformer: asFlag },
    time: { type: 'datetime', precision: 3 },
    text: { type: 'longtext', transformer: scrubbed },
    bytes: { type: 'varbinary', transformer: asBase64url },
    uuid: { type: 'char', length: 36 },
    json: { type: 'longtext', transformer: asJson },
  },

  types: {
    growingId: 'bigint not null auto_increment primary key',
    time: 'datetime(3)',
    text: 'longtext',
    key: (length) => `varchar(${length})`,
    ordered: (length) => `varchar(${length})`,
    bytes: 'varbinary(64)',
    uuid: 'char(36)',
  },

  tableEnd: () => ` engine = InnoDB default ${TEXTS}`,

  head: (column) => `${column}(${HEAD})`,

  indexable: (column) => `${column} is not null`,

  isText: (column, placeholder) => `${column} = ${placeholder}`,

  primaryKey: (_columns, instead) => `primary key (${instead})`,

  index(naming, { name, on, columns, unique = false, instead = columns }) {
    if (instead.length === 0) return '';
    const kind = unique ? 'unique index' : 'index';
    return `create ${kind} ${indexNaming(naming)(name)} on ${tablesOf(naming)[on]} (${instead.join(', ')})`;
  },

  now: NOW,

  fromNow: (milliseconds) => `timestampadd(microsecond, 1000 * ${milliseconds}, ${NOW})`,

  // Eight bits and not one letter with a case beyond ASCII: bytes are compared, and only A to Z are folded.
  contains: (text, part) => `locate(${folded(part)}, ${folded(text)} collate hebrew_bin) > 0`,

  containsIndexed: (text, pattern) => `${text} like ${pattern}`,

  indexOfParts() {
    throw new ConfigurationError(["MariaDB has no index over parts of texts: leave search at 'windows'."]);
  },

  indexNamed:
    'select 1 as found from information_schema.statistics where index_name = $1 and table_schema = $2',

  fieldOf: (json, field) => `cast(json_unquote(json_extract(${json}, '$.${field}')) as binary)`,

  valuesOfField: (json, field) =>
    `json_table(${json}, '$[*]' columns (value longtext ${TEXTS} path '$.${field}'))`,

  commitBatch: (database, tables, batch) =>
    database.transaction(async (manager) => {
      const ids = await writeBatch(manager, tables, batch);
      await markWriter(manager, tables, batch, ids.at(-1) ?? null);
      return ids;
    }),

  endWriter: (database, tables, writer) =>
    database.transaction((manager) => endWriter(manager, tables, writer)),

  writeBatch: (_database, manager, tables, batch) => writeBatch(manager, tables, batch),
  writeEvents,
  ...guards,

  ...mariadbMigrations,

  partitions: false,

  patiently: (milliseconds, statement) => [
    null,
    `/*M! set statement max_statement_time = ${milliseconds / 1_000} for */ ${statement}`,
  ],

  columnsOfTables: `
    select table_name as table_name, column_name as column_name from information_schema.columns
    where table_name = any($1) and table_schema = coalesce($2, database())`,
};

function folded(text: string): string {
  return `lower(convert(cast(${text} as binary) using hebrew))`;
}
