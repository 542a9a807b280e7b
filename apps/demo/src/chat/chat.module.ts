import { Module } from '@nestjs/common';
import { AssistantModule } from '../assistant/assistant.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ChatController } from './chat.controller.js';
import { DecisionWatch } from './decision-watch.js';
import { FollowUps } from './follow-ups.js';
import { PageController } from './page.controller.js';

@Module({
  imports: [AuthModule, AssistantModule],
  controllers: [PageController, ChatController],
  providers: [DecisionWatch, FollowUps],
})
export class ChatModule {}
