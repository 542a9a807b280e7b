import type { EntitySchemaColumnOptions, ValueTransformer } from 'typeorm';
import { asJson } from '../dialects/column-values.js';
import { jsonOf } from '../json-text.js';

/**
 * Approvals are read whatever somebody wrote into their table behind our back: a row that could not be read would stay
 * as it is for ever, and hide its neighbours from lists and repairs. What it says then matches no seal, and runs nothing.
 */
export function readableJson(
  column: EntitySchemaColumnOptions,
  accepts: (value: unknown) => boolean,
  instead: unknown,
): EntitySchemaColumnOptions {
  const from = (text: string | null): unknown => {
    if (text === null) return null;
    try {
      const value = jsonOf(text);
      return accepts(value) ? value : instead;
    } catch {
      return instead;
    }
  };
  return { ...column, transformer: { ...asJson, from } };
}

/** PostgreSQL knows `infinity`, and years that no Date can hold. */
export function readableTime(column: EntitySchemaColumnOptions): EntitySchemaColumnOptions {
  return { ...column, transformer: asTime };
}

const LAST_MS = 8_640_000_000_000_000;

const asTime: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: unknown) => {
    if (value === null || (value instanceof Date && !Number.isNaN(value.getTime()))) return value;
    return new Date(value === -Infinity ? -LAST_MS : LAST_MS);
  },
};

export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
