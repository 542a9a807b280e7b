import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Ticker } from './ticker.js';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('a ticker', () => {
  it('never does its task twice at once, and stops only when the last one is done', async () => {
    const finish: (() => void)[] = [];
    let begun = 0;
    const ticker = new Ticker('waiting', 1000, () => {
      begun++;
      return new Promise<void>((resolve) => void finish.push(resolve));
    });
    ticker.start();
    await jest.advanceTimersByTimeAsync(5000);
    expect(begun).toBe(1);
    let stopped = false;
    const stopping = ticker.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(5000);
    expect(stopped).toBe(false);
    for (const done of finish) done();
    await stopping;
    expect(begun).toBe(1);
  });

  it('goes on after a failure, and says so once', async () => {
    const said = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    let runs = 0;
    const ticker = new Ticker('asking', 1000, async () => {
      if (++runs % 4 !== 0) throw new Error('no answer');
    });
    ticker.start();
    await jest.advanceTimersByTimeAsync(7000);
    await ticker.stop();
    expect(runs).toBe(7);
    expect(said).toHaveBeenCalledTimes(2);
  });
});
