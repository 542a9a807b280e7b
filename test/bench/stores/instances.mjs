import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { figure, thousands } from './figures.mjs';
import { interleavedRates } from './rates.mjs';

const INSTANCE = fileURLToPath(new URL('./instance.mjs', import.meta.url));

/** Two processes on one database, compared with one. */
export async function instances(url, { rounds, milliseconds }) {
  const processes = [1, 2].map(() => fork(INSTANCE, [url]));
  try {
    await Promise.all(processes.map((process) => once(process, 'message')));
    const rate = async (process) => {
      process.send(milliseconds);
      const [answer] = await once(process, 'message');
      return answer;
    };
    const [both, one] = await interleavedRates(rounds, [
      async () => (await Promise.all(processes.map(rate))).reduce((sum, next) => sum + next, 0),
      () => rate(processes[0]),
    ]);
    return [
      figure({
        name: 'two instances on one database, ingest',
        floor: 'one instance at 64 callers',
        value: one.ratio,
        unit: '×',
        atLeast: 1.2,
        detail: `${thousands(both.rate)} against ${thousands(one.rate)} rows/s; two instances and PostgreSQL share ${availableParallelism()} cores`,
      }),
    ];
  } finally {
    for (const process of processes) process.disconnect();
  }
}
