import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Ticker } from './periodic-tasks.js';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('Ticker', () => {
  it('never runs its task twice at once, and stops after the current run', async () => {
    const finish: (() => void)[] = [];
    let started = 0;
    const wait = (): Promise<void> => {
      started++;
      return new Promise<void>((resolve) => void finish.push(resolve));
    };
    const ticker = new Ticker('Waiting', 1000, wait, () => undefined);
    ticker.start();
    await jest.advanceTimersByTimeAsync(5000);
    expect(started).toBe(1);
    let isStopped = false;
    const stopping = ticker.stop().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(5000);
    expect(isStopped).toBe(false);
    for (const done of finish) done();
    await stopping;
    expect(started).toBe(1);
  });

  it('continues after a failure, and reports each series of failures once', async () => {
    const reported: string[] = [];
    let runs = 0;
    const fail = async (): Promise<void> => {
      if (++runs % 4 !== 0) throw new Error('no answer');
    };
    const ticker = new Ticker('Reading', 1000, fail, (message) => void reported.push(message));
    ticker.start();
    await jest.advanceTimersByTimeAsync(7000);
    await ticker.stop();
    expect(runs).toBe(7);
    expect(reported).toEqual(Array(2).fill('Reading failed. It is retried every 1000 ms.'));
  });
});
