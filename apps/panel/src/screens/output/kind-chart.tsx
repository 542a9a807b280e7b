import { useSignal } from '@preact/signals';
import { count, day, plural } from '../../text/format.js';
import { Axis, HEIGHT, Reading, readingOf, Scale, scaleFor, WIDTH } from '../../ui/charts.js';
import { KINDS, outputsOf, rowsOf, type Points, type Window } from './kinds.js';

/** Stacked days. Each part of a column is a link to the outputs that it counts. */
export function KindChart({ points, window }: { readonly points: Points; readonly window: Window }) {
  const reading = useSignal('');
  const shown = KINDS.filter(({ name }) => outputsOf(points, name) > 0);
  const columns = points.map((point) => ({
    date: point.date,
    parts: shown.map((kind) => ({ kind, outputs: outputsOf([point], kind.name) })),
  }));
  const top = scaleFor(columns.map(({ parts }) => parts.reduce((sum, { outputs }) => sum + outputs, 0)));
  const step = WIDTH / Math.max(1, columns.length);
  const width = Math.max(1, step * 0.78);
  const dayWindow = (date: string): Window => ({ ...window, from: date, to: date });
  return (
    <>
      <figure class="chart">
        <Scale top={top} />
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="group"
          aria-label="Outputs with findings by day, in UTC"
        >
          {columns.map(({ date, parts }, index) => {
            let y = HEIGHT;
            return parts.map(({ kind, outputs }) => {
              if (outputs === 0) return null;
              const height = Math.max(3, (outputs / top) * HEIGHT);
              const text = `${day(date)}: ${plural(outputs, 'output')} with ${kind.label}`;
              y -= height;
              return (
                <a
                  key={`${date} ${kind.name}`}
                  href={rowsOf(dayWindow(date), kind.name)}
                  aria-label={text}
                  {...readingOf(reading, text)}
                >
                  <rect
                    class={kind.name}
                    x={index * step + (step - width) / 2}
                    y={y}
                    width={width}
                    height={height}
                  />
                </a>
              );
            });
          })}
        </svg>
        <Axis labels={points.map(({ date }) => day(date))} />
        <figcaption class="legend">
          {shown.map(({ name, label }) => (
            <a key={name} class={`key ${name}`} href={rowsOf(window, name)}>
              {label}: {count(outputsOf(points, name))}
            </a>
          ))}
          <Reading text={reading} />
        </figcaption>
      </figure>
      <details>
        <summary>The same figures as a table</summary>
        <div class="table-scroll">
          <table>
            <thead>
              <tr>
                <th>Day (UTC)</th>
                {shown.map(({ name, label }) => (
                  <th class="number" key={name}>
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {columns.toReversed().map(({ date, parts }) => (
                <tr key={date}>
                  <td>{day(date)}</td>
                  {parts.map(({ kind, outputs }) => (
                    <td class="number" key={kind.name}>
                      {outputs === 0 ? 0 : <a href={rowsOf(dayWindow(date), kind.name)}>{count(outputs)}</a>}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}
