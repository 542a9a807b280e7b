import { createServer, connect } from 'node:net';

/** A proxy between the browser and the demo whose connections can be cut. */
export async function withProxy(target, work) {
  const { hostname, port } = new URL(target);
  const sockets = new Set();
  let isCut = false;
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const each of [socket, upstream]) {
      sockets.add(each);
      each.on('error', () => undefined).on('close', () => sockets.delete(each));
    }
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  try {
    await work({
      url: `http://127.0.0.1:${server.address().port}`,
      cut,
      mend: () => (isCut = false),
    });
  } finally {
    cut();
    server.close();
  }
}

/** Cookies of a session, for another address. */
export function cookiesFor(url, { cookies }) {
  return cookies.map(({ name, value }) => ({ name, value, url }));
}
