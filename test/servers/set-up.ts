/** An empty database of the caller's own. */
export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** What the set-up of the tests says of its servers. */
export function fromSetUp(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is set by the set-up of these tests.`);
  return value;
}

/** The same database, by way of another server: where the set-up says that `name` is. */
export function throughServer(url: string, name: string): string {
  const through = new URL(url);
  through.host = new URL(fromSetUp(name)).host;
  return through.href;
}
