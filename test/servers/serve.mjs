import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './free-port.mjs';
import { listenTo } from './listen-to.mjs';

/**
 * Starts a server on a free port of 127.0.0.1, and waits until its output contains `ready`.
 *
 * @param {string} command
 * @param {(port: number) => readonly string[]} wordsFor
 * @param {{ user: object, ready: string | RegExp }} how the account it runs as, and its output on stderr when it is ready
 */
export async function serve(command, wordsFor, how) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const { server, ready, log } = await tryToServe(command, wordsFor(port), how);
    if (ready) return { port, server };
    if (attempt === 3) throw new Error(`${command} did not start:\n${log.text}`);
  }
}

/** Starts a server once, without keeping this process alive. `ready` is false if the server ended before it was ready. */
export async function tryToServe(command, words, { user, ready: word }) {
  const server = spawn(command, words, { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  const log = listenTo(server.stderr);
  const ready = await Promise.race([log.saw(word), once(server, 'exit').then(() => false)]);
  server.unref();
  server.stderr.unref();
  return { server, ready, log };
}

/** Runs a tool of a server until it ends. */
export async function perform(command, words, user) {
  const tool = spawn(command, words, { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  const complaint = listenTo(tool.stderr);
  const [code] = await once(tool, 'close');
  if (code !== 0) throw new Error(`${command} failed:\n${complaint.text}`);
}
