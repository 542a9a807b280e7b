import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { GuardrailsError } from '../../../contracts/src/errors.js';
import { guarded, untilSettled } from './store-errors.js';

const failing = (error: unknown) => async (): Promise<never> => {
  throw error;
};

const driverError = (code: string, message = 'from the driver'): Error =>
  Object.assign(new Error(message), { code });

const queryFailed = (code: string): Error =>
  new QueryFailedError('select secret from guarded', [], driverError(code));

describe('the edge of the stores', () => {
  it.each(['57014', '55P03'])('calls %s a query time-out', async (code) => {
    await expect(guarded(failing(queryFailed(code)))).rejects.toMatchObject({ code: 'query_timeout' });
  });

  it.each(['08006', '53300', '57P01', '57P03', '25006', '40001', '40P01', 'ECONNREFUSED', 'ENOTFOUND'])(
    'calls %s an unavailable store',
    async (code) => {
      await expect(guarded(failing(queryFailed(code)))).rejects.toMatchObject({ code: 'store_unavailable' });
      await expect(guarded(failing(driverError(code)))).rejects.toMatchObject({ code: 'store_unavailable' });
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Cannot use a pool after calling end on the pool',
    'Client has encountered a connection error and is not queryable',
  ])('understands "%s"', async (words) => {
    await expect(guarded(failing(new Error(words)))).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('tells a client nothing of the statement', async () => {
    const error = await guarded(failing(queryFailed('57014'))).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GuardrailsError);
    expect((error as Error).message).not.toMatch(/select|secret|guarded/);
  });

  it('lets every other error pass as it is', async () => {
    for (const error of [new Error('of a plan'), queryFailed('23505'), 'a string', null, undefined]) {
      await expect(guarded(failing(error))).rejects.toBe(error);
    }
  });
});

describe('conflicts', () => {
  it.each(['40001', '40P01'])('of kind %s are tried again', async (code) => {
    let attempts = 0;
    const result = await untilSettled(async () => {
      attempts++;
      if (attempts < 3) throw queryFailed(code);
      return 'won';
    });
    expect([result, attempts]).toEqual(['won', 3]);
  });

  it('are given up after five attempts', async () => {
    let attempts = 0;
    const work = async (): Promise<never> => {
      attempts++;
      throw queryFailed('40001');
    };
    await expect(guarded(() => untilSettled(work))).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(attempts).toBe(5);
  });
});
