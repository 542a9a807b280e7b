/** An empty database for the caller. */
export interface FreshDatabase {
  readonly url: string;
  /** Runs statements on a connection that stays open until the database is dropped. */
  run(statements: string): Promise<void>;
  drop(): Promise<void>;
}

/** A value that the global set-up provides. */
export function fromSetUp(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is set by the set-up of these tests.`);
  return value;
}

/** The URL of the same database through the server that the set-up names `name`. */
export function throughServer(url: string, name: string): string {
  const through = new URL(url);
  through.host = new URL(fromSetUp(name)).host;
  return through.href;
}
