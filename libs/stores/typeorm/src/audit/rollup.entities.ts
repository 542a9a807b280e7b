import { EntitySchema } from 'typeorm';
import type { ControlKey, Outcome } from '../../../../contracts/src/control-mode.js';
import { columnsOf, primary } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';

/** `hour` is `YYYY-MM-DDTHH` and `day` is `YYYY-MM-DD`, in UTC. */
export interface HourRow {
  readonly hour: string;
  readonly minId: number;
  readonly maxId: number;
}

export interface DecisionsLine {
  /** Digest of the four words behind it. */
  readonly line: string;
  readonly control: ControlKey;
  readonly outcome: Outcome;
  /** '' for none. */
  readonly ruleId: string;
  /** '' for none. */
  readonly application: string;
  readonly decisions: number;
}

export interface HourlyRow extends DecisionsLine {
  readonly hour: string;
}

export interface DailyRow extends DecisionsLine {
  readonly day: string;
}

/** The same whatever the rule and the application. */
export interface DailyTotalRow extends Pick<DecisionsLine, 'control' | 'outcome' | 'decisions'> {
  readonly day: string;
}

export interface RulesetHourRow {
  readonly hour: string;
  readonly rulesetVersion: string;
  readonly attempts: number;
  readonly lastSeenAt: Date;
}

export interface RuleHitsRow {
  readonly hour: string;
  readonly ruleId: string;
  readonly hits: number;
}

export function rollupEntities({ columns: kind }: Dialect, naming: TableNaming) {
  const line = {
    line: primary(kind.bytes),
    control: kind.text,
    outcome: kind.text,
    ruleId: kind.text,
    application: kind.text,
    decisions: kind.bigInteger,
  };
  const rules = { synchronize: false, schema: naming.schema } as const;
  return {
    hours: new EntitySchema<HourRow>({
      name: tableName(naming, 'hours'),
      ...rules,
      columns: columnsOf<HourRow>({
        hour: primary(kind.text),
        minId: kind.bigInteger,
        maxId: kind.bigInteger,
      }),
    }),
    hourly: new EntitySchema<HourlyRow>({
      name: tableName(naming, 'hourly'),
      ...rules,
      columns: columnsOf<HourlyRow>({ hour: primary(kind.text), ...line }),
    }),
    daily: new EntitySchema<DailyRow>({
      name: tableName(naming, 'daily'),
      ...rules,
      columns: columnsOf<DailyRow>({ day: primary(kind.text), ...line }),
    }),
    dailyTotals: new EntitySchema<DailyTotalRow>({
      name: tableName(naming, 'dailyTotals'),
      ...rules,
      columns: columnsOf<DailyTotalRow>({
        day: primary(kind.text),
        control: primary(kind.text),
        outcome: primary(kind.text),
        decisions: kind.bigInteger,
      }),
    }),
    rulesets: new EntitySchema<RulesetHourRow>({
      name: tableName(naming, 'rulesets'),
      ...rules,
      columns: columnsOf<RulesetHourRow>({
        hour: primary(kind.text),
        rulesetVersion: primary(kind.text),
        attempts: kind.bigInteger,
        lastSeenAt: kind.time,
      }),
    }),
    ruleHits: new EntitySchema<RuleHitsRow>({
      name: tableName(naming, 'ruleHits'),
      ...rules,
      columns: columnsOf<RuleHitsRow>({
        hour: primary(kind.text),
        ruleId: primary(kind.text),
        hits: kind.bigInteger,
      }),
    }),
  } as const;
}
