import { Module } from '@nestjs/common';
import { Guardrails } from '../../../../src/index.js';
import { Assistant } from './assistant.js';
import { Model } from './model.js';
import { OrderBook } from './order-book.js';
import { ScriptedModel } from './scripted-model.js';
import { ShopModule } from './shop.module.js';
import { SupportTools } from './tools/support-tools.js';

@Module({
  imports: [ShopModule],
  providers: [
    {
      provide: Model,
      inject: [OrderBook],
      useFactory: (book: OrderBook) => new ScriptedModel(book.customers),
    },
    {
      provide: Assistant,
      inject: [Guardrails, Model, SupportTools],
      useFactory: (guardrails: Guardrails, model: Model, tools: SupportTools) =>
        new Assistant(guardrails, model, tools.all),
    },
  ],
  exports: [Assistant],
})
export class AssistantModule {}
