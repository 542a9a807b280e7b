import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
/** The same engine without windows: a new session costs a third of the time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** `isWhole`: Chromium with its windows, as operators use it. */
export function startBrowser({ isWhole = false } = {}) {
  const installed = !isWhole && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM;
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? installed,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
}
