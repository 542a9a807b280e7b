import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A TCP proxy between an instance and its database. It can stop forwarding without closing connections, and close a
 * connection at a request or at a response.
 */
export class HaltingProxy {
  #pairs = new Set();
  #halted = false;
  #toDrop = { client: 0, server: 0 };
  #matching = null;
  #server;
  /** The URL of the database through this proxy. */
  url = '';

  static async before(url) {
    const { hostname, port } = new URL(url);
    const proxy = new HaltingProxy();
    proxy.#server = createServer((client) => proxy.#join(client, connect(Number(port), hostname)));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    const own = new URL(url);
    own.port = String(proxy.#server.address().port);
    proxy.url = own.href;
    return proxy;
  }

  #join(client, server) {
    const pair = [client, server];
    this.#pairs.add(pair);
    for (const [from, to, side] of [
      [client, server, 'client'],
      [server, client, 'server'],
    ]) {
      from.on('data', (bytes) => {
        if (this.#toDrop[side] > 0) {
          this.#toDrop[side]--;
          client.destroy();
          return;
        }
        if (side === 'client' && this.#matching !== null && this.#matching.test(bytes.toString('latin1'))) {
          this.#matching = null;
          this.#toDrop.server++;
        }
        to.write(bytes);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.end();
        this.#pairs.delete(pair);
      });
    }
    if (this.#halted) for (const side of pair) side.pause();
  }

  /** Drops the next requests and closes their connections. */
  dropRequests(count = 1) {
    this.#toDrop.client = count;
  }

  /** Forwards the next requests, drops their responses, and closes the connections. */
  dropResponses(count = 1) {
    this.#toDrop.server = count;
  }

  /** Drops the response to the next request that matches, and closes its connection. */
  dropResponseTo(request) {
    this.#matching = request;
  }

  /** Closes every connection to the instance. The server notices it at its next write. */
  cut() {
    for (const [client] of this.#pairs) client.destroy();
  }

  /** Stops forwarding in both directions. New connections are accepted and get no response. */
  halt() {
    this.#halted = true;
    for (const side of [...this.#pairs].flat()) side.pause();
  }

  /** Forwards the buffered bytes. */
  resume() {
    this.#halted = false;
    for (const side of [...this.#pairs].flat()) side.resume();
  }

  async close() {
    for (const side of [...this.#pairs].flat()) side.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
