import { once } from 'node:events';
import { createServer } from 'node:net';

/** A free port of 127.0.0.1. Another process may take it first, so callers must try again. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
