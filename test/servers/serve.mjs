import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './free-port.mjs';
import { listenTo } from './listen-to.mjs';

/**
 * Starts a server of Debian's on a free port of 127.0.0.1, and waits until it says that it is `ready`.
 *
 * @param {string} command
 * @param {(port: number) => readonly string[]} wordsFor
 * @param {{ user: object, ready: string | RegExp }} how whose rights it gets, and what it says on stderr
 */
export async function serve(command, wordsFor, { user, ready }) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = spawn(command, wordsFor(port), { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
    const log = listenTo(server.stderr);
    const started = await Promise.race([log.saw(ready), once(server, 'exit').then(() => false)]);
    server.unref();
    server.stderr.unref();
    if (started) return { port, server };
    if (attempt === 3) throw new Error(`${command} did not start:\n${log.text}`);
  }
}

/** Runs a tool of a server's to its end. */
export async function perform(command, words, user) {
  const tool = spawn(command, words, { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  const complaint = listenTo(tool.stderr);
  const [code] = await once(tool, 'close');
  if (code !== 0) throw new Error(`${command} failed:\n${complaint.text}`);
}
