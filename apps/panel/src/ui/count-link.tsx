import { count } from '../text/format.js';

/** A figure with a link to the rows that it counts. A zero has no rows. */
export function CountLink({ value, to }: { readonly value: number; readonly to: string }) {
  return value === 0 ? <span class="muted">0</span> : <a href={to}>{count(value)}</a>;
}
