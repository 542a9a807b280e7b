import { appendFile } from 'node:fs';
import { Module, type DynamicModule } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { StdoutSink } from '#sinks/index.js';
import { Guardrails, GuardrailsApiModule } from '#src/index.js';
import { AccessGuard, permits } from './auth/access.guard.js';
import { Callers } from './auth/callers.js';
import { LoginController, LoginThrottle } from './auth/login.controller.js';
import { PageController } from './auth/page.controller.js';
import { Assistant, Model } from './chat/assistant.js';
import { ChatController } from './chat/chat.controller.js';
import { DecisionRecorder } from './chat/decision-recorder.js';
import { FollowUps } from './chat/follow-ups.js';
import { TypingModel } from './chat/scripted-model.js';
import { HistorySeeder } from './seed/history.js';
import { OrderBook } from './shop/order-book.js';
import { ShopModule, SupportTools } from './shop/support-tools.js';
import { DemoData, demoSettings } from './storage/demo-data.js';
import { Sessions } from './storage/sessions.js';

/** Login, and the guard of the API and the chat. */
@Module({
  controllers: [LoginController],
  providers: [
    AccessGuard,
    Callers,
    { provide: LoginThrottle, useFactory: () => new LoginThrottle() },
    {
      provide: Sessions,
      inject: [DemoData],
      useFactory: ({ credentials }: DemoData) => new Sessions(credentials.sessionSecret),
    },
  ],
  exports: [AccessGuard, Callers],
})
class AuthModule {}

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
        ShopModule,
      ],
      controllers: [PageController, ChatController],
      providers: [
        HistorySeeder,
        DecisionRecorder,
        FollowUps,
        {
          provide: Model,
          inject: [OrderBook],
          useFactory: (book: OrderBook) => new TypingModel(book.customers),
        },
        {
          provide: Assistant,
          inject: [Guardrails, Model, SupportTools],
          useFactory: (guardrails: Guardrails, model: Model, tools: SupportTools) =>
            new Assistant(guardrails, model, tools.all),
        },
      ],
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
function eventFile(path: string) {
  return new StdoutSink({
    name: 'demo-siem',
    minimumSeverity: 'medium',
    stream: { write: (text, done) => appendFile(path, text, { mode: 0o600 }, done) },
  });
}
