/** An error in one line or a few: never a stack or a statement. A database says why only in what caused the error. */
export function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const reason = reasonOf(error.cause);
  return reason === null ? error.message : `${error.message}\n  ${reason}`;
}

function reasonOf(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  // Of several addresses that were tried, the first tells as much as all.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (!(first instanceof Error)) return null;
  return first.message || (first as NodeJS.ErrnoException).code || null;
}
