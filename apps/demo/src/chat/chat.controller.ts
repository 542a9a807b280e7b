import { randomUUID } from 'node:crypto';
import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  UseGuards,
} from '@nestjs/common';
import { Assistant } from '../assistant/assistant.js';
import type { ChatTurn } from '../assistant/chat-turn.js';
import { AccessGuard } from '../auth/access.guard.js';
import { CHAT } from './chat-caller.js';
import { DecisionWatch, type ControlStep } from './decision-watch.js';
import { FollowUps, type FollowUp } from './follow-ups.js';

const LONGEST_QUESTION = 4000;

@Controller('chat')
@UseGuards(AccessGuard)
export class ChatController {
  constructor(
    private readonly assistant: Assistant,
    private readonly watch: DecisionWatch,
    private readonly followUps: FollowUps,
  ) {}

  @Post()
  @HttpCode(200)
  async ask(
    @Body('text') text: unknown,
  ): Promise<{ readonly turn: ChatTurn; readonly steps: readonly ControlStep[] }> {
    if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST_QUESTION) {
      throw new BadRequestException(`Send { "text": "…" } of up to ${LONGEST_QUESTION} characters.`);
    }
    const runId = randomUUID();
    const { result: turn, steps } = await this.watch.during(runId, () =>
      this.assistant.ask(text, { ...CHAT, runId }),
    );
    return { turn, steps };
  }

  @Get('approvals/:id')
  async followUp(@Param('id', ParseIntPipe) id: number): Promise<FollowUp> {
    const found = await this.followUps.find(id);
    if (found === null) throw new NotFoundException('No call of this chat has that number.');
    return found;
  }
}
