import { Module } from '@nestjs/common';
import { Guardrails } from '#src/index.js';
import { AuthModule } from '../auth/auth.module.js';
import { PageController } from '../auth/page.controller.js';
import { OrderBook } from '../shop/order-book.js';
import { ShopModule, SupportTools } from '../shop/support-tools.js';
import { Assistant, Model } from './assistant.js';
import { ChatController } from './chat.controller.js';
import { DecisionRecorder } from './decision-recorder.js';
import { FollowUps } from './follow-ups.js';
import { TypingModel } from './scripted-model.js';

@Module({
  imports: [AuthModule, ShopModule],
  controllers: [PageController, ChatController],
  providers: [
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
})
export class ChatModule {}
