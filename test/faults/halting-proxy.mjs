import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Stands between an instance and its database, and can stop forwarding while every connection stays open. */
export class HaltingProxy {
  #pairs = new Set();
  #halted = false;
  #server;

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
    for (const [from, to] of [pair, pair.toReversed()]) {
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
    }
    if (this.#halted) for (const side of pair) side.pause();
  }

  /** Nothing passes any more, in no direction; new connections are taken, and get no answer. */
  halt() {
    this.#halted = true;
    for (const side of [...this.#pairs].flat()) side.pause();
  }

  /** As a network that is back: what was held passes on. */
  goOn() {
    this.#halted = false;
    for (const side of [...this.#pairs].flat()) side.resume();
  }

  async close() {
    for (const side of [...this.#pairs].flat()) side.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
