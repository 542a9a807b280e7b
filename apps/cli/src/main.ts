#!/usr/bin/env node
import { runCommandLine } from './command-line.js';
import { Terminal } from './shared/terminal.js';

/** The published command is CommonJS, which has no top-level await. */
async function main() {
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    terminal: new Terminal(process.stdout, process.stderr),
    environment: process.env,
    input: process.stdin,
  });
}

void main();
