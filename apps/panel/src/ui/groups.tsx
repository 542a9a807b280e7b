/** Rows that read the same, folded into one: ×20, with the first and the last time. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditListItem } from '#client/index.js';
import { count } from '../text/format.js';
import { Time } from './values.js';

interface Row {
  readonly id: number;
  readonly occurred_at: string;
}

/** Newest first. */
export type Group<Item> = readonly [Item, ...Item[]];

/** Groups by their keys, in the order of their newest rows. */
export function grouped<Item>(rows: readonly Item[], keyOf: (row: Item) => unknown) {
  return [...Map.groupBy(rows, (row) => JSON.stringify(keyOf(row)))] as unknown as [string, Group<Item>][];
}

/** The same text, rule and outcome. Of a text that is not stored or cut the rest may differ, so it stays alone. */
export function sameText({ id, prompt_preview: text, rule_id: rule, outcome }: AuditListItem): unknown {
  return text === null || text.endsWith('…') ? id : [text, rule, outcome];
}

/** The older rows of a group. They are made when it is unfolded, so that the keys `j` and `k` reach no hidden row. */
export function Fold<Item extends Row>({
  rows: [newest, ...older],
  children,
}: {
  readonly rows: Group<Item>;
  readonly children: (row: Item) => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const oldest = older.at(-1);
  return (
    oldest !== undefined && (
      <details class="fold-rows" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <strong>×{count(older.length + 1)}</strong>, first <Time at={oldest.occurred_at} />, last{' '}
          <Time at={newest.occurred_at} />
        </summary>
        {isOpen && older.map(children)}
      </details>
    )
  );
}
