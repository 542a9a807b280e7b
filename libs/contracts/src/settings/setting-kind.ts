import { takeCodePoints } from '../text.js';

/** A value that fits, or why it does not, in sentences. */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reasons: readonly string[] };

/** What a setting may hold. `parse` judges untrusted values from HTTP, from a store and from the host's own file alike. */
export interface SettingKind<T> {
  /** In words, for the docs. */
  readonly name: string;
  /** The allowed values, where they can be listed. */
  readonly choices?: readonly string[];
  /** The same in JSON Schema (2020-12), of a value as it is kept and shown. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly parse: (raw: unknown) => Parsed<T>;
  /** Reads the text of an environment variable. */
  readonly parseText: (written: string) => Parsed<T>;
}

export const fits = <T>(value: T): Parsed<T> => ({ ok: true, value });
export const misfits = (...reasons: string[]): Parsed<never> => ({ ok: false, reasons });

/** Characters are code points, here as everywhere. */
export const isLonger = (raw: string, maximum: number): boolean => takeCodePoints(raw, maximum).cut;

/** Takes JSON where the text starts like JSON, so that structured settings fit into a variable. */
export function jsonText(written: string): Parsed<unknown> {
  try {
    return fits(JSON.parse(written) as unknown);
  } catch {
    return misfits('is not valid JSON');
  }
}
