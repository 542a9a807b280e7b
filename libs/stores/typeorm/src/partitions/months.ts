import type { TableNaming, TableWord, Tables } from '../tables.js';

/**
 * Ids say their month: that of January 2020 begins at 0, and each has a million million of them, so that 2^53 is
 * reached in 750 years. What is asked for by id, or by a time that becomes bounds of ids, reads one partition; and no
 * key, index or statement is another than without partitions.
 */
export const IDS_OF_A_MONTH = 1_000_000_000_000;

/** Where the month of an id begins; 0 for all ids of tables that lie in no months. */
export const firstIdOfMonth = (id: number): number => id - (id % IDS_OF_A_MONTH);

interface MonthlyTable {
  readonly word: TableWord;
  /** The column that holds an id of evidence. */
  readonly key: string;
  readonly appendOnly: boolean;
}

/** In the order in which an append locks them. */
export const MONTHLY_TABLES: readonly MonthlyTable[] = [
  { word: 'evidence', key: 'id', appendOnly: true },
  { word: 'content', key: 'evidence_id', appendOnly: false },
  { word: 'rejections', key: 'evidence_id', appendOnly: true },
  { word: 'outputCounts', key: 'evidence_id', appendOnly: false },
];

/** What stands at the end of such a table. */
export function byMonth({ partitions }: TableNaming, word: TableWord): string {
  const monthly = MONTHLY_TABLES.find((each) => each.word === word);
  return partitions === undefined || monthly === undefined ? '' : ` partition by range (${monthly.key})`;
}

/** Months that are made before they come. */
export const MONTHS_AHEAD = 2;

export interface Month {
  /** Months since January 2020. */
  readonly number: number;
  /** Behind the name of a table: `_2026_11`. */
  readonly suffix: string;
  readonly firstId: number;
  readonly lastId: number;
  /** The first moment that is no longer in it. */
  readonly end: Date;
}

/** Of a partition, by its name; `null`: it is none of ours. */
export function monthOf(partition: string): Month | null {
  const [suffix, year, month] = /_(\d{4})_(\d{2})$/.exec(partition) ?? [];
  if (suffix === undefined) return null;
  const number = (Number(year) - 2020) * 12 + Number(month) - 1;
  const firstId = number * IDS_OF_A_MONTH;
  return {
    number,
    suffix,
    firstId,
    lastId: firstId + IDS_OF_A_MONTH - 1,
    end: new Date(Date.UTC(2020, number + 1)),
  };
}

/** The partition of a table, ready to stand in a statement. */
export function partitionOf(tables: Tables, word: TableWord, { suffix }: Month): string {
  return tables[word].replace(/"$/, `${suffix}"`);
}

export const MONTH_FUNCTIONS = ['make_month', 'make_months', 'turn_month', 'drop_month'] as const;

/** A function that lies where the tables lie, ready to stand in a statement. */
export function monthFunction({ evidence }: Tables, name: (typeof MONTH_FUNCTIONS)[number]): string {
  return evidence.replace(/audit_evidence"$/, `${name}"`);
}
