import { once } from 'node:events';
import { createServer } from 'node:net';

/** Of 127.0.0.1. Before it is used another process may be faster: whoever starts a server on it tries again. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
