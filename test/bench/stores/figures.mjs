/**
 * A figure, and whether it reaches its goal. `value` is usually a ratio, `floor` describes what it was compared with, and
 * `detail` lists the measured numbers.
 *
 * @param {{ name: string, value: number, unit: string, floor?: string, atLeast?: number, atMost?: number, detail?: string }} parts
 */
export function figure({ name, value, unit, floor = null, atLeast, atMost, detail = '' }) {
  const goal = goalOf({ atLeast, atMost, unit });
  const met = goal === null ? null : value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
  return { name, value: Number(value.toPrecision(4)), unit, floor, goal, met, detail };
}

function goalOf({ atLeast, atMost, unit }) {
  if (atLeast !== undefined) return `≥ ${atLeast} ${unit}`;
  return atMost === undefined ? null : `≤ ${atMost} ${unit}`;
}

export function rounded(number) {
  if (number >= 100) return Math.round(number).toLocaleString('en');
  return number >= 10 ? number.toFixed(1) : number.toFixed(2);
}

export const sized = (rows) => (rows >= 1e6 ? `${rows / 1e6} M` : `${rows / 1e3} k`);

export const thousands = (number) => Math.round(number).toLocaleString('en');
