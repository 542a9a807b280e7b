import { guardrails } from './guardrails.module.js';
import { Module } from '@nestjs/common';
import { AppController } from './app.controller.js';
import { AppService } from './app.service.js';

@Module({
  imports: [guardrails],
  controllers: [AppController],
  providers: [AppService],
})
export class AppModule {}
