import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows beyond the screen that are kept, so that quick scrolling shows no gap. */
const MARGIN = 10;

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
  const [{ first, last }, setRange] = useState({ first: 0, last: 40 });

  useLayoutEffect(() => {
    const measure = (): void => {
      if (body.current === null) return;
      const top = -body.current.getBoundingClientRect().top;
      const from = Math.max(0, Math.floor(top / height) - MARGIN);
      const to = Math.min(items.length, Math.ceil((top + innerHeight) / height) + MARGIN);
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

  useEffect(() => {
    if (last >= items.length - MARGIN) onEnd();
  }, [last, items.length]);

  const end = Math.min(last, items.length);
  return (
    <tbody ref={body}>
      <Spacer height={first * height} />
      {items.slice(first, end).map((item, index) => children(item, first + index))}
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
