import { appendFile } from 'node:fs';
import { Module, type DynamicModule } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { StdoutSink } from '#sinks/index.js';
import { GuardrailsApiModule } from '#src/index.js';
import { AccessGuard, permits } from './auth/access.guard.js';
import { AuthModule } from './auth/auth.module.js';
import { ChatModule } from './chat/chat.module.js';
import { HistorySeeder } from './seed/history.js';
import { ShopModule, SupportTools } from './shop/support-tools.js';
import { DemoData, demoSettings } from './storage/demo-data.js';

/** A chat with an unsafe assistant, guardrails around it, and the admin API behind a login. */
@Module({})
export class DemoModule {
  static over(data: DemoData): DynamicModule {
    return {
      module: DemoModule,
      imports: [
        StorageModule.over(data),
        EventEmitterModule.forRoot(),
        GuardrailsApiModule.forRootAsync({
          isGlobal: true,
          imports: [AuthModule, ShopModule],
          api: { enabled: true, middleware: [AccessGuard], permits },
          panel: { enabled: true, login_url: '/login' },
          inject: [DemoData, SupportTools],
          useFactory: ({ stores, credentials, eventsFile }: DemoData, tools: SupportTools) => ({
            stores,
            settings: demoSettings(credentials),
            tools: tools.all,
            sinks: [eventFile(eventsFile)],
          }),
        }),
        AuthModule,
        ChatModule,
      ],
      providers: [HistorySeeder],
    };
  }
}

/** Provides the opened data folder to every module. */
@Module({})
class StorageModule {
  static over(data: DemoData): DynamicModule {
    return {
      module: StorageModule,
      global: true,
      providers: [{ provide: DemoData, useValue: data }],
      exports: [DemoData],
    };
  }
}

/** Writes events to a file, one line of JSON each, as a log collector would read them. */
function eventFile(path: string): StdoutSink {
  return new StdoutSink({
    name: 'demo-siem',
    minimumSeverity: 'medium',
    stream: { write: (text, done) => appendFile(path, text, { mode: 0o600 }, done) },
  });
}
