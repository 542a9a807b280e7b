import { Module, type DynamicModule } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { GuardrailsApiModule } from '../../../src/index.js';
import { ShopModule } from './assistant/shop.module.js';
import { SupportTools } from './assistant/tools/support-tools.js';
import { AccessGuard } from './auth/access.guard.js';
import { AuthModule } from './auth/auth.module.js';
import { ChatModule } from './chat/chat.module.js';
import { StorageModule } from './storage/storage.module.js';
import { DemoData } from './storage/demo-data.js';
import { demoSettings } from './demo.settings.js';
import { SeedModule } from './seed/seed.module.js';

/** The whole product: a chat with a careless assistant, guardrails around it, and their API behind a login. */
@Module({})
export class DemoModule {
  static over(data: DemoData): DynamicModule {
    return {
      module: DemoModule,
      imports: [
        StorageModule.of(data),
        EventEmitterModule.forRoot(),
        GuardrailsApiModule.forRootAsync({
          isGlobal: true,
          imports: [AuthModule, ShopModule],
          api: { enabled: true, middleware: [AccessGuard] },
          inject: [DemoData, SupportTools],
          useFactory: ({ stores, credentials }: DemoData, tools: SupportTools) => ({
            stores,
            settings: demoSettings(credentials),
            tools: tools.all,
          }),
        }),
        AuthModule,
        ChatModule,
        SeedModule,
      ],
    };
  }
}
