export type FindingLevel = 'ok' | 'warning' | 'error';

/** What a check came to. An `error` must be mended; a `warning` is something to know. */
export interface Finding {
  readonly check: string;
  readonly level: FindingLevel;
  readonly message: string;
  /** What to do about it; `null` where all is well. */
  readonly remedy: string | null;
}

/** Findings of one check, named once. */
export function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ check, level: 'ok', message, remedy: null }),
    warning: (message: string, remedy: string): Finding => ({ check, level: 'warning', message, remedy }),
    error: (message: string, remedy: string): Finding => ({ check, level: 'error', message, remedy }),
  };
}
