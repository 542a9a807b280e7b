/** Where the tables of one installation are and what they are called. */
export interface TableNaming {
  readonly tablePrefix: string;
  /** `undefined`: wherever the connection's search path points. */
  readonly schema: string | undefined;
}

const WORDS = {
  principals: 'principals',
  evidence: 'audit_evidence',
  content: 'audit_content',
  writers: 'audit_writers',
  hours: 'audit_hours',
  hourly: 'audit_hourly',
  daily: 'audit_daily',
  dailyTotals: 'audit_daily_totals',
  rulesets: 'ruleset_hourly',
  ruleHits: 'rule_hits_hourly',
  rejections: 'firewall_rejections',
  outputCounts: 'output_counts',
  outputHourly: 'output_hourly',
  approvals: 'approvals',
  settings: 'settings',
  settingsState: 'settings_state',
  settingChanges: 'setting_changes',
  retentionRuns: 'retention_runs',
  retentionState: 'retention_state',
  retentionHours: 'retention_hours',
  retentionGaps: 'retention_gaps',
  outbox: 'outbox',
  outboxState: 'outbox_state',
  deliveries: 'outbox_deliveries',
  migrations: 'migrations',
} as const;

export type TableWord = keyof typeof WORDS;

export const TABLE_WORDS = Object.keys(WORDS) as readonly TableWord[];

/** Quoted and qualified, ready to stand in a statement. */
export type Tables = Readonly<Record<TableWord, string>>;

export function tablesOf(naming: TableNaming): Tables {
  const qualified = (word: TableWord): string => qualify(naming, tableName(naming, word));
  return Object.fromEntries(TABLE_WORDS.map((word) => [word, qualified(word)])) as Tables;
}

/** The bare name, as the catalogue has it. */
export function tableName({ tablePrefix }: TableNaming, word: TableWord): string {
  return `${tablePrefix}${WORDS[word]}`;
}

export function qualify({ schema }: TableNaming, name: string): string {
  return schema === undefined ? `"${name}"` : `"${schema}"."${name}"`;
}

/** An index lives in its table's schema, so its own name is never qualified. */
export function indexNaming({ tablePrefix }: TableNaming): (word: string) => string {
  return (word) => `"${tablePrefix}${word}"`;
}
