import { appendFile } from 'node:fs';
import { StdoutSink } from '#sinks/index.js';

/** Writes events to a file, one line of JSON each, as a log collector would read them. */
export function eventFile(path: string): StdoutSink {
  return new StdoutSink({
    name: 'demo-siem',
    minimumSeverity: 'medium',
    stream: { write: (text, done) => appendFile(path, text, { mode: 0o600 }, done) },
  });
}
