import { resolve } from 'node:path';

/** The environment variables of the demo. Only this file reads them. */
export interface Environment {
  readonly host: string;
  readonly port: number;
  /** `DATA_DIR`: the parent of the private folder with the embedded database and the credentials. */
  readonly dataFolder: string;
  /** `DATABASE_URL`: an external PostgreSQL instead of the embedded one. */
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

function portOf(text: string) {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new Error(`PORT must be a number from 0 to 65535, not "${text}".`);
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
