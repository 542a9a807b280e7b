import { Body, Controller, Get, Injectable, Post, Sse } from '@nestjs/common';
import { CallerTools, GuardedTool, SanitizeOutput, ScreenPrompt } from 'nest-guardrails';
import { from, type Observable } from 'rxjs';

const CHUNKS = ['The key is ', 'AKIAQ3EG', 'Z5JW7XKQ2M4T', '.'];

@Injectable()
export class Orders {
  @GuardedTool({ parameters: { properties: { order: { type: 'string' }, customer_id: { type: 'string' } } } })
  track({ order, customer_id }: { order: string; customer_id: string }): string {
    return `${order} of ${customer_id}`;
  }
}

@Controller('chat')
export class ChatController {
  @Post()
  @ScreenPrompt('body.message')
  @SanitizeOutput()
  async ask(
    @Body() { message }: { message: string },
    @CallerTools() [track]: readonly GuardedTool[],
  ): Promise<string> {
    const outcome = await track?.execute({ order: message, customer_id: 'customer-1' });
    return outcome?.status === 'executed' ? String(outcome.result) : 'refused';
  }

  @Get('stream')
  @SanitizeOutput()
  async *stream(): AsyncGenerator<string> {
    yield* CHUNKS;
  }

  @Sse('events')
  @SanitizeOutput()
  events(): Observable<string> {
    return from(CHUNKS);
  }
}
