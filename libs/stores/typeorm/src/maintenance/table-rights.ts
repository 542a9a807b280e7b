import type { TableWord } from '../tables.js';

export const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] as const;

export type Privilege = (typeof PRIVILEGES)[number];

/** What the stores do with a table while an application runs. What is not here the application needs no right for. */
export const TABLE_RIGHTS: Readonly<Record<TableWord, readonly Privilege[]>> = {
  principals: ['SELECT', 'INSERT', 'UPDATE'],
  evidence: ['SELECT', 'INSERT'],
  content: ['SELECT', 'INSERT'],
  writers: ['SELECT', 'INSERT', 'UPDATE'],
  hours: ['SELECT', 'INSERT', 'UPDATE'],
  hourly: ['SELECT', 'INSERT', 'UPDATE'],
  daily: ['SELECT', 'INSERT', 'UPDATE'],
  dailyTotals: ['SELECT', 'INSERT', 'UPDATE'],
  rulesets: ['SELECT', 'INSERT', 'UPDATE'],
  ruleHits: ['SELECT', 'INSERT', 'UPDATE'],
  rejections: ['SELECT', 'INSERT'],
  outputCounts: ['SELECT', 'INSERT'],
  outputHourly: ['SELECT', 'INSERT', 'UPDATE'],
  retentionRuns: ['SELECT', 'UPDATE'],
  retentionState: ['SELECT'],
  retentionHours: ['SELECT'],
  retentionGaps: ['SELECT'],
  approvals: ['SELECT', 'INSERT', 'UPDATE'],
  settings: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  settingsState: ['SELECT', 'UPDATE'],
  settingChanges: ['SELECT', 'INSERT'],
  outbox: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  outboxState: ['SELECT', 'UPDATE'],
  deliveries: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  migrations: ['SELECT'],
};

/** Where an application changes no more than these columns: what a run may still do is not its to say. */
export const CHANGED_COLUMNS: Readonly<Partial<Record<TableWord, readonly string[]>>> = {
  retentionRuns: ['told_at'],
};

/** Written once, never changed: what an auditor relies on. */
export const APPEND_ONLY: readonly TableWord[] = ['evidence', 'rejections', 'settingChanges'];

/** Triggers refuse what would falsify them: every change, or the change of what was decided or is finished. */
export const GUARDED: readonly TableWord[] = [...APPEND_ONLY, 'approvals', 'retentionRuns'];

/** What retention needs beside: the rights of a role that no application has. */
export const MAINTENANCE_RIGHTS: Readonly<Partial<Record<TableWord, readonly Privilege[]>>> = {
  writers: ['SELECT'],
  principals: ['SELECT', 'DELETE'],
  evidence: ['SELECT', 'DELETE'],
  content: ['SELECT', 'UPDATE', 'DELETE'],
  hours: ['SELECT'],
  hourly: ['SELECT'],
  daily: ['SELECT'],
  dailyTotals: ['SELECT'],
  rejections: ['SELECT', 'DELETE'],
  outputCounts: ['SELECT', 'DELETE'],
  approvals: ['SELECT', 'UPDATE', 'DELETE'],
  settings: ['SELECT'],
  settingChanges: ['SELECT'],
  settingsState: ['SELECT'],
  outbox: ['SELECT', 'DELETE'],
  deliveries: ['SELECT', 'DELETE'],
  retentionRuns: ['SELECT', 'INSERT', 'UPDATE'],
  retentionState: ['SELECT', 'UPDATE'],
  retentionHours: ['SELECT', 'INSERT', 'UPDATE'],
  retentionGaps: ['SELECT', 'INSERT', 'UPDATE'],
  migrations: ['SELECT'],
};
