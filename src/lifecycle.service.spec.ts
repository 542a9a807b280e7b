import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Ticker } from './lifecycle.service.js';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('Ticker', () => {
  it('never runs its task twice at once, and stops after the current run', async () => {
    const finish: (() => void)[] = [];
    let started = 0;
    const ticker = new Ticker('Waiting', 1000, () => {
      started++;
      return new Promise<void>((resolve) => void finish.push(resolve));
    });
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

  it('continues after a failure, and logs each series of failures once', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    let runs = 0;
    const ticker = new Ticker('Reading', 1000, async () => {
      if (++runs % 4 !== 0) throw new Error('no answer');
    });
    ticker.start();
    await jest.advanceTimersByTimeAsync(7000);
    await ticker.stop();
    expect(runs).toBe(7);
    expect(logged).toHaveBeenCalledTimes(2);
  });
});
