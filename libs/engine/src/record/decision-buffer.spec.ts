import { describe, expect, it } from '@jest/globals';
import { AuditStore } from '#contracts/audit/store.js';
import { type Decision } from '#contracts/audit/record.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { SilentDiagnostics } from '../shared/ports.js';
import { DecisionBuffer } from './decision-buffer.js';

/** A store whose `append` is resolved by the test. */
class Gate {
  readonly taken: Decision[] = [];
  asked = 0;
  private release: () => void = () => undefined;
  private opened: Promise<void> | null = null;
  fault: Error | null = null;

  close(): void {
    this.opened = new Promise((resolve) => (this.release = resolve));
  }

  open(): void {
    this.release();
    this.opened = null;
  }

  async append(decision: Decision): Promise<number> {
    this.asked++;
    await this.opened;
    if (this.fault !== null) throw this.fault;
    return this.taken.push(decision);
  }
}

const decision = (n: number): Decision => ({ evidence: { promptLength: n } }) as Decision;
const numbers = (taken: readonly Decision[]): number[] => taken.map(({ evidence }) => evidence.promptLength);

function buffered(): { readonly gate: Gate; readonly buffer: DecisionBuffer } {
  const gate = new Gate();
  const store = gate as unknown as AuditStore;
  return { gate, buffer: new DecisionBuffer(store, new SilentDiagnostics()) };
}

describe('buffered decisions', () => {
  it('are written in order, also those that arrive when the queue has just become empty', async () => {
    const { gate, buffer } = buffered();
    for (let n = 1; n <= 20; n++) {
      buffer.push(decision(n));
      // One more tick each time, to arrive at every point of the write.
      for (let breath = 0; breath < n; breath++) await Promise.resolve();
    }
    await buffer.drain();
    expect(numbers(gate.taken)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect([buffer.queued, buffer.lost]).toEqual([0, 0]);
  });

  it('are written concurrently, so that a store can commit them together', async () => {
    const { gate, buffer } = buffered();
    gate.close();
    for (let n = 1; n <= 1_500; n++) buffer.push(decision(n));
    expect([gate.asked, buffer.queued]).toEqual([1_000, 1_500]);
    gate.open();
    await buffer.drain();
    expect(numbers(gate.taken)).toEqual(Array.from({ length: 1_500 }, (_, index) => index + 1));
  });

  it('are lost beyond the limit, oldest first, and never during their write', async () => {
    const { gate, buffer } = buffered();
    gate.close();
    for (let n = 1; n <= 10_003; n++) buffer.push(decision(n));
    expect([buffer.queued, buffer.lost]).toEqual([10_000, 3]);
    gate.open();
    await buffer.drain();
    expect(numbers(gate.taken).slice(998, 1002)).toEqual([999, 1000, 1004, 1005]);
    expect(gate.taken.length + buffer.lost).toBe(10_003);
  });

  it('are written one at a time after an outage, and in order when the store recovers', async () => {
    const { gate, buffer } = buffered();
    gate.fault = GuardrailsError.storeUnavailable(new Error('away'));
    for (let n = 1; n <= 5; n++) buffer.push(decision(n));
    await buffer.drain();
    const before = gate.asked;
    buffer.push(decision(6));
    await buffer.drain();
    expect(gate.asked).toBe(before + 1);
    gate.fault = null;
    await buffer.drain();
    expect(numbers(gate.taken)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('stay in the buffer during an outage, and are lost on other errors', async () => {
    const { gate, buffer } = buffered();
    gate.fault = GuardrailsError.storeUnavailable(new Error('away'));
    buffer.push(decision(1));
    await buffer.drain();
    gate.fault = GuardrailsError.queryTimeout(new Error('slow'));
    buffer.push(decision(2));
    await buffer.drain();
    expect([buffer.queued, buffer.lost]).toEqual([2, 0]);
    gate.fault = new Error('a row that no table takes');
    await buffer.drain();
    expect([buffer.queued, buffer.lost]).toEqual([0, 2]);
  });

  it('count as lost at shutdown where the store is still unavailable', async () => {
    const { gate, buffer } = buffered();
    gate.fault = GuardrailsError.storeUnavailable(new Error('away'));
    buffer.push(decision(1));
    await buffer.close();
    expect([buffer.queued, buffer.lost]).toEqual([0, 1]);
    await buffer.close();
    expect(buffer.lost).toBe(1);
  });
});
