import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { GuardrailsError } from '#contracts/common/errors.js';
import { isRefusal, retryConflicts, translateErrors } from './database-errors.js';

const failing = (error: unknown) => async (): Promise<never> => {
  throw error;
};

const driverError = (code: string, message = 'from the driver'): Error =>
  Object.assign(new Error(message), { code });

const queryFailed = (code: string): Error =>
  new QueryFailedError('select secret from guarded', [], driverError(code));

describe('translateErrors', () => {
  it.each(['57014', '55P03'])('reports %s as query_timeout', async (code) => {
    await expect(translateErrors(failing(queryFailed(code)))).rejects.toMatchObject({
      code: 'query_timeout',
    });
  });

  it.each(['08006', '53300', '57P01', '57P03', '25006', '40001', '40P01', 'ECONNREFUSED', 'ENOTFOUND'])(
    'reports %s as store_unavailable',
    async (code) => {
      await expect(translateErrors(failing(queryFailed(code)))).rejects.toMatchObject({
        code: 'store_unavailable',
      });
      await expect(translateErrors(failing(driverError(code)))).rejects.toMatchObject({
        code: 'store_unavailable',
      });
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Cannot use a pool after calling end on the pool',
    'Client has encountered a connection error and is not queryable',
  ])('reports "%s" as store_unavailable', async (words) => {
    await expect(translateErrors(failing(new Error(words)))).rejects.toMatchObject({
      code: 'store_unavailable',
    });
  });

  it('does not include the statement in the message', async () => {
    const error = await translateErrors(failing(queryFailed('57014'))).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GuardrailsError);
    expect((error as Error).message).not.toMatch(/select|secret|guarded/);
  });

  it('does not change other errors', async () => {
    for (const error of [new Error('from a plan'), queryFailed('23505'), 'a string', null, undefined]) {
      await expect(translateErrors(failing(error))).rejects.toBe(error);
    }
  });
});

describe('retryConflicts', () => {
  it.each(['40001', '40P01'])('runs the work again after %s', async (code) => {
    let attempts = 0;
    const result = await retryConflicts(async () => {
      attempts++;
      if (attempts < 3) throw queryFailed(code);
      return 'won';
    });
    expect([result, attempts]).toEqual(['won', 3]);
  });

  it('fails with store_unavailable after twelve attempts', async () => {
    let attempts = 0;
    const work = async (): Promise<never> => {
      attempts++;
      throw queryFailed('40001');
    };
    await expect(translateErrors(() => retryConflicts(work))).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    expect(attempts).toBe(12);
  });
});

describe('isRefusal', () => {
  it.each(['23505', '22001', '42601'])('is true for %s: nothing was written', (code) => {
    expect(isRefusal(queryFailed(code))).toBe(true);
  });

  it.each(['08006', '57P01', 'EPIPE', 'ECONNRESET'])('is false for %s: the commit is uncertain', (code) => {
    expect(isRefusal(queryFailed(code))).toBe(false);
  });
});
