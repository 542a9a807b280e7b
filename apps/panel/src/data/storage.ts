/** `session`: this tab. `local`: this browser. A browser may forbid either, and either may be full. */
type Kind = 'session' | 'local';

/** Where a screen stores a text before it opens the sandbox, because an address must not contain it. */
export const HANDED_OVER = 'guardrails-sandbox-text';

/** `null` if nothing is stored, or the browser forbids it. */
export function recall(kind: Kind, key: string): string | null {
  try {
    return storageOf(kind).getItem(key);
  } catch {
    return null;
  }
}

/** `null` removes the value. A value that cannot be stored is lost with the page. */
export function keep(kind: Kind, key: string, value: string | null): void {
  try {
    if (value === null) storageOf(kind).removeItem(key);
    else storageOf(kind).setItem(key, value);
  } catch {
    // The browser may refuse to store. The panel works without the stored values.
  }
}

function storageOf(kind: Kind): Storage {
  return kind === 'session' ? sessionStorage : localStorage;
}
