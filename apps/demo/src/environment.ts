import { resolve } from 'node:path';

/** What the demo reads from its environment. The one place that does. */
export interface Environment {
  readonly host: string;
  readonly port: number;
  /** Holds the embedded database and the credentials. */
  readonly dataFolder: string;
  /** A PostgreSQL of your own in place of the embedded one. */
  readonly databaseUrl: string | null;
}

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return {
    host: variables['HOST'] || '127.0.0.1',
    port: portOf(variables['PORT'] || '3000'),
    dataFolder: resolve(variables['DATA_DIR'] || 'data'),
    databaseUrl: variables['DATABASE_URL'] || null,
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new Error(`PORT must be a number from 0 to 65535, not "${text}".`);
}
