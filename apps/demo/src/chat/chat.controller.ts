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
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Response } from 'express';
import { AccessGuard } from '../auth/access.guard.js';
import { Assistant } from './assistant.js';
import { DecisionRecorder } from './decision-recorder.js';
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

  /** Sends the answer as server-sent events: `{ text }` for each part, and at the end `{ turn, steps }`. */
  @Post()
  @HttpCode(200)
  async ask(@Body('text') text: unknown, @Res() response: Response): Promise<void> {
    if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_QUESTION_LENGTH) {
      throw new BadRequestException(`Send { "text": "…" } of up to ${MAX_QUESTION_LENGTH} characters.`);
    }
    const runId = randomUUID();
    const send = (data: unknown) => {
      // The headers are sent with the first event, so that the response to an earlier error is JSON.
      if (!response.headersSent)
        response
          .setHeader('Content-Type', 'text/event-stream')
          .setHeader('Cache-Control', 'no-store, no-transform');
      response.write(`data: ${JSON.stringify(data)}\n\n`);
    };
    const { result: turn, steps } = await this.recorder.record(runId, () =>
      this.assistant.ask(text, { ...CHAT, runId }, (part) => send({ text: part })),
    );
    send({ turn, steps });
    response.end();
  }

  @Get('approvals/:id')
  async followUp(@Param('id', ParseIntPipe) id: number): Promise<FollowUp> {
    const followUp = await this.followUps.find(id);
    if (followUp === null) throw new NotFoundException('This chat has no call with that id.');
    return followUp;
  }
}
