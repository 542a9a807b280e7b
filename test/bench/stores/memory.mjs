import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median } from '../measure.mjs';
import { figure, thousands } from './figures.mjs';

const INSTANCE = fileURLToPath(new URL('./memory-instance.mjs', import.meta.url));
const MEGABYTE = 2 ** 20;

/** Memory in use after each tenth of the requests and a garbage collection. It must not grow after the warm-up. */
export async function memory(url, { requests }) {
  const tenths = [];
  const child = fork(INSTANCE, [url, String(requests)], { execArgv: ['--expose-gc'] });
  child.on('message', (tenth) => tenths.push(tenth));
  const [code] = await once(child, 'exit');
  if (code !== 0 || tenths.length !== 10)
    throw new Error('The process that works through requests ended early.');
  const used = tenths.map(({ heapUsed }) => heapUsed / MEGABYTE);
  const [before, after] = [used.slice(2, 5), used.slice(7)].map(median);
  return [
    figure({
      name: `memory over ${thousands(requests)} requests: the last three tenths against the third to fifth`,
      floor: 'heap and buffers in use after a collection',
      value: after / before,
      unit: '×',
      atMost: 1.05,
      detail: `MB after each tenth: ${used.map((megabytes) => megabytes.toFixed(1)).join(', ')}; resident ${thousands(tenths.at(-1).rss / MEGABYTE)} MB at the end`,
    }),
  ];
}
