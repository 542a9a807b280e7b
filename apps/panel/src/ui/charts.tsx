/** A chart of columns with links and with its figures as a table, and a small line chart. */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, SVGAttributes, TargetedPointerEvent } from 'preact';
import { count } from '../text/format.js';
import { CountLink, Table } from './controls.js';

/** A layer of a column; the name is its class in the style sheet. */
interface Part {
  readonly name: string;
  readonly value: number;
  readonly href: string;
  /** The value with its words, such as `3 blocked`. */
  readonly text: string;
}

/** One column of the chart, such as a day. With an address it is one link, otherwise each of its parts is one. */
interface Column {
  readonly label: string;
  readonly href?: string;
  readonly parts: readonly Part[];
}

const WIDTH = 1000;
const HEIGHT = 200;

interface ChartProps {
  readonly columns: readonly Column[];
  readonly title: string;
  readonly unit: string;
  /** The names of the parts. */
  readonly heads: readonly string[];
  readonly legend: ComponentChildren;
  /** Called with the first and the last of the columns over which the pointer was dragged. */
  readonly onChoose?: (first: number, last: number) => void;
}

/** Stacked columns with links to the rows that they count, and a table with the same figures. */
export function ColumnChart({ columns, title, unit, heads, legend, onChoose }: ChartProps) {
  const reading = useSignal('');
  const brush = useBrush(columns.length, onChoose);
  const top = scaleFor(columns.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  return (
    <>
      <figure class="chart">
        <div class="scale" aria-hidden="true">
          <span>{short(top)}</span>
          <span>{short(top / 2)}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="group"
          aria-label={title}
          {...brush.handlers}
        >
          <Brush columns={brush.columns} step={WIDTH / columns.length} />
          {columns.map((column, index) => (
            <Bars
              key={column.label}
              column={column}
              step={WIDTH / columns.length}
              index={index}
              top={top}
              reading={reading}
            />
          ))}
        </svg>
        <Axis labels={columns.map(({ label }) => label)} />
        <figcaption class="legend">
          {legend}
          <Reading text={reading} />
        </figcaption>
      </figure>
      <FigureTable columns={columns} unit={unit} heads={heads} />
    </>
  );
}

/** Several columns are chosen by dragging over them. */
function useBrush(total: number, onChoose?: (first: number, last: number) => void) {
  /** The first and the present one. */
  const columns = useSignal<readonly number[]>([]);
  const clear = () => (columns.value = []);
  const columnAt = ({ clientX, currentTarget }: TargetedPointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(total - 1, Math.max(0, Math.floor(((clientX - left) / width) * total)));
  };
  const handlers: SVGAttributes<SVGSVGElement> = {
    onDragStart: (event) => event.preventDefault(),
    onPointerDown: (event) => (columns.value = [columnAt(event)]),
    onPointerMove: (event) => {
      const [start] = columns.value;
      if (start !== undefined) columns.value = [start, columnAt(event)];
    },
    onPointerUp: () => {
      const [first = 0, last = first] = columns.value.toSorted((one, other) => one - other);
      clear();
      if (first < last) onChoose?.(first, last);
    },
    onPointerLeave: clear,
  };
  return { columns, handlers: onChoose && handlers };
}

/** The columns over which the pointer was dragged so far. */
function Brush({
  columns: { value },
  step,
}: {
  readonly columns: Signal<readonly number[]>;
  readonly step: number;
}) {
  if (value.length < 2) return null;
  const first = Math.min(...value);
  const width = (Math.max(...value) - first + 1) * step;
  return <rect class="brush" x={first * step} y={0} width={width} height={HEIGHT} />;
}

function FigureTable({ columns, unit, heads }: Pick<ChartProps, 'columns' | 'unit' | 'heads'>) {
  return (
    <details>
      <summary>The same figures as a table</summary>
      <Table texts={[unit]} numbers={heads}>
        {columns.toReversed().map((column, index) => (
          // The label of the newest one changes with the time.
          <Figures key={index} {...column} />
        ))}
      </Table>
    </details>
  );
}

/** The row of a column in the table. */
function Figures({ label, href, parts }: Column) {
  return (
    <tr>
      <td>{href === undefined ? label : <a href={href}>{label}</a>}</td>
      {parts.toReversed().map((part) => (
        <td class="number" key={part.name}>
          {href === undefined ? (
            <CountLink value={part.value} to={part.href} />
          ) : (
            <a href={part.href}>{count(part.value)}</a>
          )}
        </td>
      ))}
    </tr>
  );
}

function Bars({
  column: { label, href, parts },
  step,
  index,
  top,
  reading,
}: {
  readonly column: Column;
  readonly step: number;
  readonly index: number;
  readonly top: number;
  readonly reading: Signal<string>;
}) {
  /** A link whose figures are shown while the pointer or the focus is on it. */
  const link = (to: string, text: string, children: ComponentChildren) => {
    const show = () => void (reading.value = text);
    const hide = () => void (reading.value = '');
    const handlers = { onPointerEnter: show, onFocus: show, onPointerLeave: hide, onBlur: hide };
    return (
      <a key={to} href={to} aria-label={text} {...handlers}>
        {children}
      </a>
    );
  };
  const width = Math.max(1, step * 0.78);
  let y = HEIGHT;
  const bars = parts.map((part) => {
    const height = (part.value / top) * HEIGHT;
    // A single finding among millions must remain visible.
    const shown = part.value > 0 && part.name !== 'clean' ? Math.max(3, height) : height;
    y -= shown;
    const bar = (
      <rect class={part.name} x={index * step + (step - width) / 2} y={y} width={width} height={shown} />
    );
    if (href !== undefined) return bar;
    return part.value > 0 && link(part.href, `${label}: ${part.text}`, bar);
  });
  if (href === undefined) return bars;
  const texts = parts.toReversed().map(({ text }) => text);
  return link(
    href,
    `${label}: ${texts.join(', ')}`,
    <>
      <rect class="hit" x={index * step} y={0} width={step} height={HEIGHT} />
      {bars}
    </>,
  );
}

/** Apart from the chart, which is not drawn again. */
function Reading({ text }: { readonly text: Signal<string> }) {
  return (
    <span class="reading number" aria-hidden="true">
      {text.value}
    </span>
  );
}

// The scale shows a number and its half. Of these numbers, both are round.
const ROUND = [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10];

/** The upper end of the scale of a chart: a round number that is not below any value. */
function scaleFor(values: readonly number[]) {
  const highest = Math.max(2, ...values);
  const unit = 10 ** Math.floor(Math.log10(highest));
  return ROUND.map((step) => step * unit).find((top) => top >= highest && top % 2 === 0) ?? 10 * unit;
}

/** `1,200`, `12k`, `1.2M`: round numbers in the width that the scale has. */
function short(value: number) {
  if (value < 10_000) return count(value);
  return value < 1_000_000 ? `${value / 1000}k` : `${value / 1_000_000}M`;
}

/** The first, the middle and the last label. Each column has its own in its title and in the table. */
function Axis({ labels }: { readonly labels: readonly string[] }) {
  const middle = labels.length > 2 ? [labels[Math.floor(labels.length / 2)]] : [];
  return (
    <div class="axis" aria-hidden="true">
      {[...new Set([labels[0], ...middle, labels.at(-1)])].map((label) => (
        <span key={label}>{label}</span>
      ))}
    </div>
  );
}

/** A small line chart without axes. The figures are shown beside it. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length - 1);
  const points = values
    .map((value, index) => `${(index * step).toFixed(1)},${(22 - (value / highest) * 20).toFixed(1)}`)
    .join(' ');
  return (
    <svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`0,24 ${points} 100,24`} />
      <polyline points={points} />
    </svg>
  );
}
