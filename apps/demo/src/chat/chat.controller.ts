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
import { AccessGuard } from '../auth/access.guard.js';
import { Assistant, type ChatTurn } from './assistant.js';
import { DecisionRecorder, type RecordedDecision } from './decision-recorder.js';
import { CHAT, FollowUps, type FollowUp } from './follow-ups.js';

const MAX_QUESTION_LENGTH = 4000;

@Controller('chat')
@UseGuards(AccessGuard)
export class ChatController {
  constructor(
    private readonly assistant: Assistant,
    private readonly recorder: DecisionRecorder,
    private readonly followUps: FollowUps,
  ) {}

  @Post()
  @HttpCode(200)
  async ask(
    @Body('text') text: unknown,
  ): Promise<{ readonly turn: ChatTurn; readonly steps: readonly RecordedDecision[] }> {
    if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_QUESTION_LENGTH) {
      throw new BadRequestException(`Send { "text": "…" } of up to ${MAX_QUESTION_LENGTH} characters.`);
    }
    const runId = randomUUID();
    const { result: turn, steps } = await this.recorder.record(runId, () =>
      this.assistant.ask(text, { ...CHAT, runId }),
    );
    return { turn, steps };
  }

  @Get('approvals/:id')
  async followUp(@Param('id', ParseIntPipe) id: number): Promise<FollowUp> {
    const found = await this.followUps.find(id);
    if (found === null) throw new NotFoundException('This chat has no call with that id.');
    return found;
  }
}
