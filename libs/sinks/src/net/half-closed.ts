import type { Socket } from 'node:net';

/**
 * Sends all of it and ends our side; resolves when the receiver has ended its own. It does so once it has read to the
 * end: a receiver that goes away with anything unread resets the connection instead.
 */
export function sendToTheEnd(socket: Socket, frames: readonly Buffer[], timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let ended = false;
    const timer = setTimeout(() => socket.destroy(failure('ETIMEDOUT')), timeoutMs);
    socket.on('end', () => {
      // Whoever hangs up while we speak has not heard us out.
      if (socket.writableFinished) ended = true;
      else socket.destroy(failure('ECONNRESET'));
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      if (ended) resolve();
      else reject(failure('ECONNRESET'));
    });
    socket.end(Buffer.concat(frames));
  });
}

function failure(code: string): Error {
  return Object.assign(new Error('the receiver did not confirm'), { code });
}
