const QUERY = 0x51;
const SYNC = 0x53;
const TERMINATE = 0x58;
const READY_FOR_QUERY = 0x5a;

/** What can be taken from the front of what a client has written so far. */
export interface WireUnit {
  /** Bytes of the start-up message, or of messages up to a Query or a Sync: what is answered as a whole. 0: none yet. */
  readonly length: number;
  /** The client says goodbye after it. */
  readonly ends: boolean;
}

export function nextUnit(written: Buffer, started: boolean): WireUnit {
  if (!started) {
    const length = written.length < 4 ? 0 : written.readInt32BE(0);
    return { length: written.length < length ? 0 : length, ends: false };
  }
  let at = 0;
  while (at + 5 <= written.length) {
    const type = written[at];
    if (type === TERMINATE) return { length: 0, ends: true };
    at += 1 + written.readInt32BE(at + 1);
    if (at > written.length) break;
    if (type === QUERY || type === SYNC) return { length: at, ends: false };
  }
  return { length: 0, ends: false };
}

/** Whether an answer leaves the session outside any transaction. Every answer ends with ReadyForQuery. */
export function leavesSessionIdle(answer: Buffer): boolean {
  return answer.at(-6) === READY_FOR_QUERY && answer.at(-1) === 'I'.charCodeAt(0);
}
