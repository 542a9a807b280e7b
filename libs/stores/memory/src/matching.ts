import type { AuditEntry, AuditFilter } from '../../../contracts/src/audit.js';
import type { Rejection, RejectionFilter } from '../../../contracts/src/firewall.js';
import { copyOf } from './copy.js';
import { literalSearch } from './literal-search.js';

interface TimeRange {
  readonly from?: Date;
  readonly to?: Date;
}

/** Closed at both ends; an end that is absent is open. */
export function isWithin({ from, to }: TimeRange, instant: Date): boolean {
  return (from === undefined || instant >= from) && (to === undefined || instant <= to);
}

/** Stored texts are scrubbed, so what is looked for has to be as well. */
export function auditMatcher(filter: AuditFilter): (entry: AuditEntry) => boolean {
  const sought = copyOf(filter);
  const isFound = sought.q === undefined ? () => true : literalSearch(sought.q);
  return (entry) =>
    is(sought.control, entry.control) &&
    is(sought.blocked, entry.outcome === 'blocked') &&
    is(sought.outcome, entry.outcome) &&
    is(sought.ruleId, entry.ruleId) &&
    is(sought.principalId, entry.principalId) &&
    is(sought.application, entry.application) &&
    isWithin(sought, entry.occurredAt) &&
    isFound(entry.prompt);
}

export function rejectionMatcher(filter: RejectionFilter): (rejection: Rejection) => boolean {
  const sought = copyOf(filter);
  const isFound = sought.q === undefined ? () => true : literalSearch(sought.q);
  return (rejection) =>
    is(sought.principalId, rejection.principalId) &&
    is(sought.application, rejection.application) &&
    is(sought.tool, rejection.tool) &&
    isWithin(sought, rejection.occurredAt) &&
    isFound(rejection.tool);
}

function is<Value>(sought: Value | undefined, held: Value | null): boolean {
  return sought === undefined || sought === held;
}
