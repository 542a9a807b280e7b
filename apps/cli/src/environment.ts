/** What the commands read from their environment. The one place that does. */
export interface Environment {
  readonly databaseUrl: string | null;
  /** All of it, for the check of our settings in it. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return { databaseUrl: variables['DATABASE_URL'] || null, variables };
}
