import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/** Requests a path repeatedly over kept-alive connections and returns the requests per second. A minimal HTTP client. */
export async function requestRate(port, path, { connections, milliseconds }) {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  const started = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connections }, () => askOn(port, request, started + milliseconds)),
  );
  return (counts.reduce((sum, count) => sum + count, 0) / (performance.now() - started)) * 1000;
}

function askOn(port, request, until) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request)).setNoDelay(true);
    let held = [];
    let missing = null;
    let count = 0;
    socket.on('error', reject).on('data', (bytes) => {
      held.push(bytes);
      missing = missing === null ? missingAfter(Buffer.concat(held)) : missing - bytes.length;
      if (missing === null || missing > 0) return;
      held = [];
      missing = null;
      count++;
      if (performance.now() < until) socket.write(request);
      else socket.end(() => resolve(count));
    });
  });
}

/** Remaining bytes of the response; `null` until its header is complete. */
function missingAfter(bytes) {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return null;
  const head = bytes.subarray(0, end).toString('latin1');
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200') || length === undefined)
    throw new Error(`An answer with this head:\n${head}`);
  return end + HEAD_END.length + Number(length) - bytes.length;
}
