import 'reflect-metadata';
import { createServer } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { USERS } from './storage/sessions.js';
import { DemoModule } from './demo.module.js';
import { printLine, readEnvironment, type Environment } from './storage/environment.js';
import { ASSETS_FOLDER, securityHeaders } from './auth/page.controller.js';
import { DemoData } from './storage/demo-data.js';

const SHUTDOWN_TIMEOUT_MS = 10_000;

async function start(environment: Environment): Promise<void> {
  await assertPortIsFree(environment);
  const data = await DemoData.open(environment, printLine);
  try {
    const application = await NestFactory.create<NestExpressApplication>(DemoModule.over(data), {
      logger: ['warn', 'error'],
      abortOnError: false,
    });
    closeOnSignal(async () => {
      await application.close();
      await data.close();
    });
    application.use(securityHeaders);
    application.useStaticAssets(ASSETS_FOLDER, { prefix: '/assets/' });
    await application.listen(environment.port, environment.host);
    printLine(welcome(await application.getUrl(), data));
  } catch (error) {
    await data.close();
    throw error;
  }
}

/** Checks the port before the database is created, so that a taken port fails at once. */
function assertPortIsFree({ host, port }: Environment): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(
        isTaken
          ? new Error(`Port ${port} is in use. Set PORT to a free port, or stop the process that uses it.`)
          : error,
      );
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/** Closes on the first signal and ignores further ones, because npm sends Ctrl-C twice. */
function closeOnSignal(close: () => Promise<void>): void {
  let isClosing = false;
  const onSignal = (): void => {
    if (isClosing) return;
    isClosing = true;
    printLine('\nShutting down after the open requests.');
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

function welcome(url: string, { credentials, credentialsFile }: DemoData): string {
  const users = USERS.map(
    ({ id }) => `  ${id.padEnd(9)}  ${credentials[`${id}.password`]}  ${credentials[`${id}.token`]}`,
  );
  return `
  Panel  ${url}/guardrails/panel
  Chat   ${url}/
  API    ${url}/guardrails/api/overview

  User       Password          API token
${users.join('\n')}

  curl -H 'Authorization: Bearer ${credentials['ops-1.token']}' ${url}/guardrails/api/overview

  These secrets are stored in ${credentialsFile}. Press Ctrl-C to stop.
`;
}

/** The message of an error and of its cause. Database drivers give the reason only in the cause. */
function errorMessage(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined;
  return reason === undefined ? error.message : `${error.message}\n  ${reason}`;
}

try {
  await start(readEnvironment());
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exit(1);
}
