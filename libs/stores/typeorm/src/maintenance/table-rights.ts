import type { TableWord } from '../tables.js';

export const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] as const;

export type Privilege = (typeof PRIVILEGES)[number];

/** What the stores do with a table while an application runs. What is not here the application needs no right for. */
export const TABLE_RIGHTS: Readonly<Record<TableWord, readonly Privilege[]>> = {
  principals: ['SELECT', 'INSERT', 'UPDATE'],
  evidence: ['SELECT', 'INSERT'],
  content: ['SELECT', 'INSERT'],
  hours: ['SELECT', 'INSERT', 'UPDATE'],
  hourly: ['SELECT', 'INSERT', 'UPDATE'],
  daily: ['SELECT', 'INSERT', 'UPDATE'],
  rulesets: ['SELECT', 'INSERT', 'UPDATE'],
  ruleHits: ['SELECT', 'INSERT', 'UPDATE'],
  rejections: ['SELECT', 'INSERT'],
  outputCounts: ['SELECT', 'INSERT'],
  outputHourly: ['SELECT', 'INSERT', 'UPDATE'],
  retentionRuns: ['SELECT'],
  approvals: ['SELECT', 'INSERT', 'UPDATE'],
  settings: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  settingsState: ['SELECT', 'UPDATE'],
  settingChanges: ['SELECT', 'INSERT'],
  outbox: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  outboxState: ['SELECT', 'UPDATE'],
  deliveries: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  migrations: ['SELECT'],
};

/** Written once, never changed: what an auditor relies on. */
export const APPEND_ONLY: readonly TableWord[] = ['evidence', 'rejections', 'settingChanges'];
