import { GuardrailsError, type FieldErrors } from '../../../libs/contracts/src/errors.js';
import { endOfDay, parseInstant } from './instant.js';
import type { QueryKind } from './query-kinds.js';

/** Reads parameters one by one and collects what is wrong with them: dropping a filter on a security log would show the wrong rows. */
export class QueryReader {
  private readonly problems = new Map<string, readonly string[]>();

  constructor(private readonly parameters: ReadonlyMap<string, string>) {}

  read<T>(name: string, kind: QueryKind<T>): T | undefined {
    const text = this.parameters.get(name);
    if (text === undefined) return undefined;
    const parsed = kind(text);
    if (parsed.ok) return parsed.value;
    this.problems.set(name, parsed.reasons);
    return undefined;
  }

  /** Both ends inclusive; a bare date as the upper end takes in that whole day. */
  readRange(): { readonly from?: Date; readonly to?: Date } {
    const from = this.read('from', parseInstant);
    const to = this.read('to', parseInstant);
    const last = to?.wholeDay ? endOfDay(to.time) : to?.time;
    if (from !== undefined && last !== undefined && from.time > last) {
      this.problems.set('from', ['must not be after to']);
    }
    return { ...(from && { from: new Date(from.time) }), ...(last !== undefined && { to: new Date(last) }) };
  }

  /** Every offending parameter is named. */
  assertValid(): void {
    if (this.problems.size === 0) return;
    const fields: FieldErrors = Object.fromEntries(this.problems);
    throw new GuardrailsError('invalid_query', 'Some query parameters do not fit.', { fields });
  }
}
