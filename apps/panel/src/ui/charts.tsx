import { useSignal, type Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { count } from '../text/format.js';

/** One column of the chart, such as a day. */
export interface Column {
  readonly label: string;
  readonly href: string;
  readonly blocked: number;
  readonly observed: number;
  /** Decisions without a finding. */
  readonly clean: number;
}

export const WIDTH = 1000;
export const HEIGHT = 200;
const LAYERS = ['clean', 'observed', 'blocked'] as const;

/** Stacked columns, each a link to the rows that it counts. A table with the same figures is beside it. */
export function StackedColumns({
  columns,
  title,
}: {
  readonly columns: readonly Column[];
  readonly title: string;
}) {
  const reading = useSignal('');
  const top = scaleFor(columns.map(({ clean, observed, blocked }) => clean + observed + blocked));
  const step = WIDTH / Math.max(1, columns.length);
  const width = Math.max(1, step * 0.78);
  return (
    <figure class="chart">
      <Scale top={top} />
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="group" aria-label={title}>
        {columns.map((column, index) => {
          let y = HEIGHT;
          return (
            <a
              href={column.href}
              key={column.label}
              aria-label={sentence(column)}
              {...readingOf(reading, sentence(column))}
            >
              <rect class="hit" x={index * step} y={0} width={step} height={HEIGHT} />
              {LAYERS.map((layer) => {
                const height = (column[layer] / top) * HEIGHT;
                // A single finding among millions must remain visible.
                const shown = column[layer] > 0 && layer !== 'clean' ? Math.max(3, height) : height;
                y -= shown;
                return (
                  <rect
                    class={layer}
                    x={index * step + (step - width) / 2}
                    y={y}
                    width={width}
                    height={shown}
                  />
                );
              })}
            </a>
          );
        })}
      </svg>
      <Axis labels={columns.map(({ label }) => label)} />
      <figcaption class="legend">
        <span class="key blocked">blocked</span>
        <span class="key observed">observed</span>
        <span class="key clean">no finding</span>
        <Reading text={reading} />
      </figcaption>
    </figure>
  );
}

/** Handlers that show the figures of a part of a chart while the pointer or the focus is on it. */
export function readingOf(reading: Signal<string>, text: string) {
  const show = (): void => void (reading.value = text);
  const hide = (): void => void (reading.value = '');
  return { onPointerEnter: show, onFocus: show, onPointerLeave: hide, onBlur: hide };
}

/** Apart from the chart, which is not drawn again. */
export function Reading({ text }: { readonly text: Signal<string> }) {
  return (
    <span class="reading number" aria-hidden="true">
      {text.value}
    </span>
  );
}

// The scale shows a number and its half. Of these numbers, both are round.
const ROUND = [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10];

/** The upper end of the scale of a chart: a round number that is not below any value. */
export function scaleFor(values: readonly number[]): number {
  const highest = Math.max(2, ...values);
  const unit = 10 ** Math.floor(Math.log10(highest));
  return ROUND.map((step) => step * unit).find((top) => top >= highest && top % 2 === 0) ?? 10 * unit;
}

/** The lines behind a chart, with their values. */
export function Scale({ top }: { readonly top: number }) {
  return (
    <div class="scale" aria-hidden="true">
      <span>{short(top)}</span>
      <span>{short(top / 2)}</span>
      <span>0</span>
    </div>
  );
}

/** `1,200`, `12k`, `1.2M`: round numbers in the width that the scale has. */
function short(value: number): string {
  if (value < 10_000) return count(value);
  return value < 1_000_000 ? `${value / 1000}k` : `${value / 1_000_000}M`;
}

function sentence({ label, blocked, observed, clean }: Column): string {
  return `${label}: ${count(blocked)} blocked, ${count(observed)} observed, ${count(clean)} without a finding`;
}

/** The first, the middle and the last label. Each column has its own in its title and in the table. */
export function Axis({ labels }: { readonly labels: readonly string[] }) {
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
  const id = useId();
  const highest = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(22 - (value / highest) * 20).toFixed(1)}`,
  );
  return (
    <svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true" id={id}>
      <polygon points={`0,24 ${points.join(' ')} 100,24`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}
