import type { AddressInfo } from 'node:net';
import {
  Controller,
  Get,
  Module,
  Post,
  type DynamicModule,
  type ModuleMetadata,
  type NestApplicationOptions,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Guardrails } from '#engine/guardrails.js';
import { GuardrailsApiModule } from '#src/guardrails-api.module.js';
import type { ApiOptions, GuardrailsOptions, PanelOptions } from '#src/options/guardrails-api.options.js';
import { BearerGuard } from './bearer.guard.js';
import { TestClient } from './client.js';

export const TOKEN_SECRET = 'a secret of the tests, thirty-two bytes and more';

@Controller('hosts-own')
class HostsOwnController {
  @Get()
  show(): { readonly from: string } {
    return { from: 'host' };
  }

  @Post()
  take(): { readonly taken: boolean } {
    return { taken: true };
  }
}

export interface HostSetup {
  readonly api?: ApiOptions;
  readonly panel?: PanelOptions;
  readonly guardrails?: GuardrailsOptions;
  /** Mounts that replace the one described by `api` and `guardrails`. */
  readonly mounts?: readonly DynamicModule[];
  readonly host?: ModuleMetadata;
  readonly nest?: NestApplicationOptions;
  /** A host without an EventEmitterModule. */
  readonly withoutEmitter?: boolean;
  /** Runs between creating and starting the application. */
  readonly prepare?: (application: NestExpressApplication) => void;
}

/** A running host on a free port, with a client. */
export class TestHost extends TestClient {
  private constructor(
    readonly application: NestExpressApplication,
    origin: string,
  ) {
    super(origin);
  }

  static async start(setup: HostSetup = {}): Promise<TestHost> {
    const application = await createHost(setup);
    await application.listen(0, '127.0.0.1');
    // A busy machine can let a test wait longer than the default, and a closed connection would fail its next request.
    application.getHttpServer().keepAliveTimeout = 0;
    const { port } = application.getHttpServer().address() as AddressInfo;
    return new TestHost(application, `http://127.0.0.1:${port}`);
  }

  get guardrails(): Guardrails {
    return this.application.get(Guardrails, { strict: false });
  }

  async stop(): Promise<void> {
    await this.application.close();
  }
}

/** Creates a host without starting it. */
export async function createHost(setup: HostSetup = {}): Promise<NestExpressApplication> {
  const { mounts = [mountOf(setup)], host = {}, prepare } = setup;

  @Module({
    ...host,
    imports: [
      ...(setup.withoutEmitter ? [] : [EventEmitterModule.forRoot()]),
      ...mounts,
      ...(host.imports ?? []),
    ],
    controllers: [HostsOwnController, ...(host.controllers ?? [])],
  })
  class HostModule {}

  const application = await NestFactory.create<NestExpressApplication>(HostModule, {
    logger: false,
    abortOnError: false,
    ...setup.nest,
  });
  prepare?.(application);
  return application;
}

export function mountOf({ api = {}, panel = {}, guardrails = {} }: HostSetup): DynamicModule {
  return GuardrailsApiModule.forRoot({
    api: { enabled: true, middleware: [BearerGuard], ...api },
    panel,
    ...guardrails,
    settings: { 'hitl.token_secret': TOKEN_SECRET, ...guardrails.settings },
  });
}
