import type { Tables } from '../database/tables.js';

export const ID = 'bigint generated always as identity primary key';
export const TIME = 'timestamptz(3)';

/** `YYYY-MM-DDTHH` in UTC: ordered like the time, and understood by every SQL database. */
export const HOUR = `hour varchar(13) collate "C" not null`;
/** A minute or a second is `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`. */
export const UNIT_TIME = `unit varchar(6) collate "C" not null, time varchar(19) collate "C" not null`;
export const DAY = `day varchar(10) collate "C" not null`;

/** Rows that change in place need free space in their page. */
export const fill = (percent: number): string => `with (fillfactor = ${percent})`;

/** Quoted names of the tables. */
export type TableTexts = Readonly<Record<keyof Tables, string>>;
/** The statement that creates an index. */
export type IndexOf = (name: string, definition: string) => string;
