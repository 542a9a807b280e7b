import type { DynamicModule, INestApplication, Provider } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application } from 'express';
import { ApprovalsController } from '../approvals/approvals.controller.js';
import { AuditController } from '../audit/audit.controller.js';
import { EventsController } from '../events/events.controller.js';
import { FirewallController } from '../firewall/firewall.controller.js';
import { OpenApiController, OpenApiText } from '../openapi/openapi.controller.js';
import { OutputController } from '../output/output.controller.js';
import { OverviewController } from '../overview/overview.controller.js';
import { RulesController } from '../rules/rules.controller.js';
import { SettingsController } from '../settings/settings.controller.js';
import { TryController } from '../try/try.controller.js';
import { AccessGate } from './access-gate.js';
import { ActorGuard } from './actor.guard.js';
import { BodyGuard } from './body.guard.js';
import { EnvelopeInterceptor } from './envelope.interceptor.js';
import { ErrorFilter } from './error.filter.js';
import { FieldsPipe } from './fields.pipe.js';
import type { RequestListener } from './mount.js';
import { UnservedController } from './unserved.controller.js';

/** Guards run in this order: gate, then body, then actor. Path and verb are judged before the body, in `UnservedController`. */
const ENHANCERS: readonly Provider[] = [
  { provide: APP_GUARD, useClass: AccessGate },
  { provide: APP_GUARD, useClass: BodyGuard },
  { provide: APP_GUARD, useClass: ActorGuard },
  { provide: APP_PIPE, useClass: FieldsPipe },
  { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
  { provide: APP_FILTER, useClass: ErrorFilter },
];

@Module({
  controllers: [
    OverviewController,
    AuditController,
    FirewallController,
    RulesController,
    OutputController,
    ApprovalsController,
    SettingsController,
    EventsController,
    TryController,
    OpenApiController,
    UnservedController,
  ],
  providers: [...ENHANCERS],
})
class AdminApiModule {}

export interface InnerApplication {
  readonly listener: RequestListener;
  close(): Promise<void>;
}

/**
 * The admin API is an application of its own inside the host's: no prefix, version, pipe, filter, interceptor,
 * guard or parser that the host sets globally reaches our answers, and nothing of ours reaches the host's routes.
 */
export async function createInnerApplication(
  prefix: string,
  host: Application,
  parts: readonly Provider[],
): Promise<InnerApplication> {
  const adapter = new ExpressAdapter();
  const express: Application = adapter.getInstance();
  const document: Provider = { provide: OpenApiText, useValue: new OpenApiText(prefix) };
  const adminApi: DynamicModule = { module: AdminApiModule, providers: [...parts, document] };
  const application: INestApplication = await NestFactory.create(adminApi, adapter, {
    bodyParser: false,
    abortOnError: false,
  });
  application.setGlobalPrefix(prefix);
  inheritFrom(host, express);
  await application.init();
  return { listener: express, close: () => application.close() };
}

/** Entries that ask for `request.ip` or `request.query` get what they get on the host's routes. */
function inheritFrom(host: Application, express: Application): void {
  express.emit('mount', host);
  const settings = express.settings as Record<string, unknown>;
  for (const inherited of ['query parser', 'query parser fn']) delete settings[inherited];
  express.disable('x-powered-by');
  express.disable('etag');
}
