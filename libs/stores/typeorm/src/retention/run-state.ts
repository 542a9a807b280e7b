import type { RetentionScope } from '../../../../contracts/src/retention.js';

/** Where a run stands. Times are kept as texts, because it is kept as JSON. */
export interface RunState {
  readonly scope: KeptScope;
  /** How many parts are done. */
  readonly partsDone: number;
  /** Where the part at hand stands; `null` at its beginning. */
  readonly cursor: unknown;
}

type KeptScope =
  Exclude<RetentionScope, { kind: 'before' }> | { readonly kind: 'before'; readonly before: string };

export function stateAtFirst(scope: RetentionScope): RunState {
  return { scope: keptScope(scope), partsDone: 0, cursor: null };
}

export function keptScope(scope: RetentionScope): KeptScope {
  return scope.kind === 'before' ? { kind: 'before', before: scope.before.toISOString() } : scope;
}

export function scopeOf({ scope }: RunState): RetentionScope {
  return scope.kind === 'before' ? { kind: 'before', before: new Date(scope.before) } : scope;
}
