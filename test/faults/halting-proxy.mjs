import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Stands between an instance and its database. It can stop forwarding while every connection stays open, and end a
 * connection exactly at a question, or at an answer.
 */
export class HaltingProxy {
  #pairs = new Set();
  #halted = false;
  #lost = { client: 0, server: 0 };
  #fatal = null;
  #server;
  /** Of this place before the database. */
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
        if (this.#lost[side] > 0) {
          this.#lost[side]--;
          client.destroy();
          return;
        }
        if (side === 'client' && this.#fatal !== null && this.#fatal.test(bytes.toString('latin1'))) {
          this.#fatal = null;
          this.#lost.server++;
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

  /** The next questions do not arrive, and end their connections. */
  loseQuestions(count = 1) {
    this.#lost.client = count;
  }

  /** The next questions arrive, but their answers do not, and end their connections. */
  loseAnswers(count = 1) {
    this.#lost.server = count;
  }

  /** The answer to the next matching question does not arrive, and its connection ends. */
  loseAnswerTo(question) {
    this.#fatal = question;
  }

  /** Ends every connection on the side of the instance; the server notices once it has something to say. */
  cut() {
    for (const [client] of this.#pairs) client.destroy();
  }

  /** Nothing passes any more, in no direction; new connections are taken, and get no answer. */
  halt() {
    this.#halted = true;
    for (const side of [...this.#pairs].flat()) side.pause();
  }

  /** Forwards the buffered bytes. */
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
