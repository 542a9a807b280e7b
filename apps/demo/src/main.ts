import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DemoData } from './storage/demo-data.js';
import { DemoModule } from './demo.module.js';
import { readEnvironment, type Environment } from './environment.js';
import { assertPortIsFree } from './free-port.js';
import { ASSETS_FOLDER } from './public-folder.js';
import { say } from './say.js';
import { securityHeaders } from './security-headers.js';
import { endOnSignal } from './shutdown.js';
import { welcome } from './welcome.js';

/** An error and what caused it: a database that cannot be reached says so only in its cause. */
function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined;
  return reason === undefined ? error.message : `${error.message}\n  ${reason}`;
}

async function start(environment: Environment): Promise<void> {
  await assertPortIsFree(environment);
  const data = await DemoData.open(environment, say);
  try {
    const application = await NestFactory.create<NestExpressApplication>(DemoModule.over(data), {
      logger: ['warn', 'error'],
      abortOnError: false,
    });
    endOnSignal(async () => {
      await application.close();
      await data.close();
    });
    application.use(securityHeaders);
    application.useStaticAssets(ASSETS_FOLDER, { prefix: '/assets/' });
    await application.listen(environment.port, environment.host);
    say(welcome(await application.getUrl(), environment, data.credentials));
  } catch (error) {
    await data.close();
    throw error;
  }
}

try {
  await start(readEnvironment());
} catch (error) {
  process.stderr.write(`${whyNot(error)}\n`);
  process.exit(1);
}
