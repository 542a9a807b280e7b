import { AsyncLocalStorage } from 'node:async_hooks';
import { Client } from 'pg';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { onServer } from '../postgres/database.js';

const operation = new AsyncLocalStorage<string>();

/** Statements that only frame others. */
const FRAME = /^(begin|commit|rollback|start transaction|set |select 1$)/i;

export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Calls `listener` with every statement of the process until the returned function is called. */
function listen(listener: (statement: SentStatement) => void): () => void {
  const query = Reflect.get(Client.prototype, 'query');
  Client.prototype.query = function (this: Client, ...given: unknown[]): unknown {
    const [first, values = []] = given as [string | SentStatement, unknown[]?];
    const statement = typeof first === 'string' ? { text: first, values } : first;
    if (!FRAME.test(statement.text)) listener(statement);
    return Reflect.apply(query, this, given);
  } as typeof query;
  return () => {
    Client.prototype.query = query;
  };
}

/** The statements that `work` sends. */
export async function sentBy(work: () => Promise<unknown>): Promise<readonly SentStatement[]> {
  const sent: SentStatement[] = [];
  const stop = listen((statement) => {
    if (operation.getStore() === 'sentBy') sent.push(statement);
  });
  await named('sentBy', work);
  stop();
  return sent;
}

/** The last statement that `work` sends. */
export async function lastSentBy(work: () => Promise<unknown>): Promise<SentStatement> {
  const last = (await sentBy(work)).at(-1);
  if (last === undefined) throw new Error('No statement was sent.');
  return last;
}

/** Records every statement that is sent in a named operation, until `stop`. */
export class SentStatements {
  /** Text → the operations that send it, both in the order of the first use. */
  private readonly operations = new Map<string, Set<string>>();

  readonly stop = listen(({ text }) => {
    const name = operation.getStore();
    if (name !== undefined) this.operations.set(text, (this.operations.get(text) ?? new Set()).add(name));
  });

  /** All statements with their operations and the types of their parameters, which the database derives. */
  printed(url: string): Promise<string> {
    return onServer(async (server) => {
      const pieces: string[] = [];
      for (const [text, names] of this.operations) {
        const readable = formatted(text);
        const types = await parameterTypes(server, readable);
        const parameters = types.map((type, at) => `$${at + 1} ${type}${at + 1 < types.length ? ',' : ''}`);
        pieces.push(
          [`-- ${[...names].join(', ')}`, ...inLines(parameters, '-- '), `${readable};`].join('\n'),
        );
      }
      return `${pieces.join('\n\n')}\n`;
    }, url);
  }
}

/** Runs `work` as an operation with this name. */
export const named = <Result>(name: string, work: () => Result): Result => operation.run(name, work);

/** The stores, where each call of a method is an operation: `holds.set`. */
export function withNames(stores: StoreBackend): StoreBackend {
  const proxied = <Target extends object>(
    target: Target,
    wrap: (value: object, key: string) => object,
  ): Target =>
    new Proxy(target, {
      get(_target, key) {
        const value: unknown = Reflect.get(target, key);
        return (typeof value === 'object' && value !== null) || typeof value === 'function'
          ? wrap(value, String(key))
          : value;
      },
    });
  return proxied(stores, (store, name) =>
    proxied(
      store,
      (method, key) =>
        (...given: unknown[]): unknown =>
          named(`${name}.${key}`, () => Reflect.apply(method as () => unknown, store, given)),
    ),
  );
}

/** Only data statements can be prepared, and only they have parameters. PostgreSQL refuses a text that it cannot read. */
async function parameterTypes(server: Client, text: string): Promise<readonly string[]> {
  if (!/^(with|select|insert|update|delete)\b/i.test(text)) return [];
  await server.query(`prepare printed as ${text}`);
  const { rows } = await server.query<{ types: string[] }>(
    `select parameter_types::text[] as types from pg_prepared_statements where name = 'printed'`,
  );
  await server.query('deallocate printed');
  return rows[0]?.types ?? [];
}

const WIDTH = 116;

/** Fills lines of at most `WIDTH` characters with these parts. */
function inLines(parts: readonly string[], indent: string, furtherIndent = indent): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length < WIDTH) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push((last === undefined ? indent : furtherIndent) + part);
  }
  return lines;
}

/** TypeORM writes a statement in one line, and its key words in capital letters. */
const CLAUSE = / (?=(?:FROM|SET|VALUES|LEFT JOIN|INNER JOIN|WHERE|ORDER BY|LIMIT|RETURNING|FOR UPDATE) )/g;

/** Where a long line is broken, outside of quotes: before a key word, and after a comma. */
const OUTSIDE = "(?=(?:[^']*'[^']*')*[^']*$)";
const BEFORE_WORD = new RegExp(` (?=(?:from|where|and|or|when|else|order by|limit|select) )${OUTSIDE}`, 'g');
const AFTER_COMMA = new RegExp(`(?<=,) ${OUTSIDE}`, 'g');

/** The lines of a statement as the stores wrote them, indented by their depth in parentheses. */
function formatted(text: string): string {
  let depth = 0;
  return text
    .split(CLAUSE)
    .flatMap((part) => part.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap((line) => {
      const indent = '  '.repeat(Math.max(0, depth - Number(line.startsWith(')'))));
      for (const [bracket] of line.replaceAll(/'[^']*'/g, '').matchAll(/[()]/g))
        depth += bracket === '(' ? 1 : -1;
      if (line.length + indent.length <= WIDTH) return [indent + line];
      const parts = line.split(BEFORE_WORD);
      const short = parts.flatMap((part) =>
        part.length + indent.length < WIDTH - 4 ? [part] : part.split(AFTER_COMMA),
      );
      return inLines(short, indent, `${indent}    `);
    })
    .join('\n');
}
