import { scrubText } from '../../../contracts/src/text.js';

const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** The parameters of one statement. Whatever comes from outside enters through here, and leaves its placeholder. */
export class Parameters {
  readonly values: unknown[] = [];

  add(value: string | number | boolean | null | Date | Uint8Array | readonly unknown[]): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  text(value: string | null): string {
    return this.add(value === null ? null : scrubText(value));
  }

  /** Columns of equal length, ready for `unnest`: each with the type of its elements. */
  lists(columns: readonly (readonly [type: string, values: readonly unknown[]])[]): string {
    return columns.map(([type, values]) => `${this.add(values)}::${type}[]`).join(', ');
  }

  time(value: Date): string {
    return this.add(knownTime(value));
  }

  /** The nearest time that every database knows. */
  known(value: Date): Date {
    return new Date(timeText(value));
  }
}

export function timeText(value: Date): string {
  return knownTime(value).toISOString();
}

/** Of years that every database knows: a time beyond them becomes the nearest one. */
function knownTime(value: Date): Date {
  return new Date(Math.min(Math.max(value.getTime(), EARLIEST), LATEST));
}
