/** Rows of lists: their keys, and long lists of which only a part exists. */
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Row {
  readonly 'data-row': true;
  readonly tabIndex: 0 | -1;
}

/** A row without a link to open it. The list is one stop of the tab key; `j`, `k` and the arrows move within it. */
export function rowAt(index: number): Row {
  return { 'data-row': true, tabIndex: index === 0 ? 0 : -1 };
}

/** Rows beyond the screen that are kept, so that quick scrolling shows no gap. */
const MARGIN = 8;
/** The window moves by so many rows at once, because each move writes all of its rows. */
const STEP = 4;

/**
 * The rows of a table body of which only those near the screen exist. All rows have the same height.
 * Calls `onEnd` when the last rows come near.
 */
export function WindowedRows<Item>({
  items,
  height,
  onEnd,
  children,
}: {
  readonly items: readonly Item[];
  /** In pixels. */
  readonly height: number;
  readonly onEnd: () => void;
  readonly children: (item: Item, index: number) => ComponentChildren;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  const focused = useRef<number | null>(null);
  const [{ first, last }, setRange] = useState({ first: 0, last: 40 });

  useLayoutEffect(() => {
    const measure = () => {
      if (body.current === null) return;
      const top = Math.floor(-body.current.getBoundingClientRect().top / height) - MARGIN;
      const from = Math.max(0, Math.floor(top / STEP) * STEP);
      const to = Math.min(items.length, from + Math.ceil(innerHeight / height) + 2 * MARGIN + STEP);
      focused.current = focusedRow(body.current);
      setRange((now) => (now.first === from && now.last === to ? now : { first: from, last: to }));
    };
    measure();
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure, { passive: true });
    return () => {
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [items.length, height]);

  useLayoutEffect(() => {
    if (body.current !== null && focused.current !== null) focusRow(body.current, focused.current);
  }, [first, last]);

  useEffect(() => {
    if (last >= items.length - MARGIN) onEnd();
  }, [last, items.length]);

  const end = Math.min(last, items.length);
  return (
    <tbody ref={body}>
      <Spacer height={first * height} />
      {items.slice(first, end).map((item, index) => (
        // The key is the place, so that rows which come into the window take over the elements of those that leave it.
        <Fragment key={index}>{children(item, first + index)}</Fragment>
      ))}
      <Spacer height={(items.length - end) * height} />
    </tbody>
  );
}

/** One cell: further ones would add the width of columns that are hidden on small screens. */
function Spacer({ height }: { readonly height: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden="true" class="spacer">
      <td style={{ height: `${height}px`, padding: 0, border: 0 }} />
    </tr>
  );
}

function rowsOf(body: HTMLTableSectionElement): readonly HTMLTableRowElement[] {
  return [...body.rows].filter((row) => row.ariaRowIndex !== null);
}

/** The `aria-rowindex` of the row that has the focus. */
function focusedRow(body: HTMLTableSectionElement): number | null {
  if (!body.contains(document.activeElement)) return null;
  return Number(document.activeElement?.closest('tr')?.ariaRowIndex ?? 0) || null;
}

/** Focuses the link of a row, or of the row that is the nearest to it where it has left the window. */
function focusRow(body: HTMLTableSectionElement, wanted: number): void {
  const distance = (row: HTMLTableRowElement) => Math.abs(Number(row.ariaRowIndex) - wanted);
  const [nearest] = rowsOf(body).toSorted((a, b) => distance(a) - distance(b));
  nearest?.querySelector('a')?.focus({ preventScroll: true });
}
