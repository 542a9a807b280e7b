import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import {
  ClientProxyFactory,
  MessagePattern,
  Payload,
  Transport,
  type ClientProxy,
  type TcpOptions,
} from '@nestjs/microservices';
import { WsAdapter } from '@nestjs/platform-ws';
import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { firstValueFrom, from, toArray, type Observable } from 'rxjs';
import { WebSocket } from 'ws';
import { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
import type { PrincipalResolver } from '#src/options/guardrails-api.options.js';
import { CallerTools } from '#src/decorators/guarded-tools.js';
import type { GuardedTool } from '#src/decorators/guarded-tool.decorator.js';
import { peer } from '#src/common/peer.js';
import { SanitizeOutput } from '#src/decorators/sanitize-output.decorator.js';
import { ScreenPrompt } from '#src/decorators/screen-prompt.decorator.js';
import { GuardrailsApiModule } from '#src/guardrails-api.module.js';
import { ATTACK, guardrails, Orders, SECRET } from './shop.js';

const REFUSAL = DEFAULT_SETTINGS['input_screen.refusal_message'];

interface Message {
  readonly message?: string;
  readonly customer?: string;
}

/** The host of these tests sends its customer in the payload. */
const customerOfPayload: PrincipalResolver = (context) =>
  (context.getType() === 'ws' ? context.switchToWs() : context.switchToRpc()).getData<Message>().customer;

const CHUNKS = ['The key is ', ...SECRET, '.'];

@WebSocketGateway()
class ChatGateway {
  @SubscribeMessage('ask')
  @ScreenPrompt('body.message')
  @SanitizeOutput()
  ask(@MessageBody() { message }: Message): object {
    return { event: 'answer', data: `${message} ${SECRET.join('')}` };
  }

  @SubscribeMessage('stream')
  @SanitizeOutput()
  stream(): Observable<object> {
    return from(CHUNKS.map((data) => ({ event: 'chunk', data })));
  }
}

@Controller()
class ChatMessages {
  @MessagePattern('ask')
  @ScreenPrompt('body.message')
  @SanitizeOutput()
  ask(@Payload() { message }: Message): string {
    return `${message} ${SECRET.join('')}`;
  }

  @MessagePattern('stream')
  @SanitizeOutput()
  stream(): Observable<string> {
    return from(CHUNKS);
  }

  @MessagePattern('look up')
  async lookUp(@Payload() _: Message, @CallerTools() tools: readonly GuardedTool[]): Promise<unknown> {
    return tools.find(({ tool }) => tool.name === 'lookUp')?.execute({ order: 'A-1' });
  }
}

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    GuardrailsApiModule.forRoot({ api: { enabled: false }, ...guardrails(customerOfPayload) }),
  ],
  providers: [ChatGateway, Orders],
  controllers: [ChatMessages],
})
class HostModule {}

describe('decorated handlers of other transports', () => {
  let application: INestApplication;
  let client: ClientProxy;

  beforeAll(async () => {
    application = await NestFactory.create(HostModule, { logger: false, abortOnError: false });
    application.useWebSocketAdapter(new WsAdapter(application));
    const microservice = application.connectMicroservice<TcpOptions>({
      transport: Transport.TCP,
      options: { host: '127.0.0.1', port: 0 },
    });
    await application.startAllMicroservices();
    await application.listen(0, '127.0.0.1');
    const { port } = microservice.unwrap<{ address(): AddressInfo }>().address();
    client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host: '127.0.0.1', port } });
  });

  afterAll(async () => {
    client.close();
    await application.close();
  });

  describe('a WebSocket gateway', () => {
    let socket: WebSocket;
    const received: { readonly event: string; readonly data: unknown }[] = [];
    let arrived = (): void => undefined;

    beforeAll(async () => {
      const { port } = application.getHttpServer().address() as AddressInfo;
      socket = new WebSocket(`ws://127.0.0.1:${port}`);
      socket.on('message', (bytes) => {
        received.push(JSON.parse(String(bytes)) as (typeof received)[number]);
        arrived();
      });
      await once(socket, 'open');
    });

    afterAll(() => socket.close());

    /** Sends a message and returns what arrives, until `isLast`. */
    async function send(
      event: string,
      data: object,
      isLast: (all: readonly { readonly data: unknown }[]) => boolean = () => true,
    ): Promise<typeof received> {
      received.length = 0;
      socket.send(JSON.stringify({ event, data }));
      do await new Promise<void>((resolve) => (arrived = resolve));
      while (!isLast(received));
      return [...received];
    }

    it('sanitizes the answer to a harmless prompt', async () => {
      expect(await send('ask', { message: 'Hello.', customer: 'customer-42' })).toEqual([
        { event: 'answer', data: 'Hello. [aws_access_key]' },
      ]);
    });

    it.each([
      [
        'an attack with the refusal message',
        { message: ATTACK, customer: 'customer-42' },
        'prompt_blocked',
        REFUSAL,
      ],
      [
        'a message without text',
        { customer: 'customer-42' },
        'prompt_missing',
        'body.message must contain text.',
      ],
      [
        'a caller without a principal',
        { message: 'Hello.' },
        'unauthenticated',
        'Authentication is required.',
      ],
    ])('refuses %s in a WsException', async (_, data, code, message) => {
      const [answer] = await send('ask', data);
      expect(answer).toMatchObject({ event: 'exception', data: { status: 'error', code, message } });
    });

    it('sanitizes text that is split over messages', async () => {
      const text = (all: readonly { readonly data: unknown }[]) => all.map(({ data }) => data).join('');
      const messages = await send('stream', { customer: 'customer-42' }, (all) => text(all).endsWith('.'));
      expect(text(messages)).toBe('The key is [aws_access_key].');
      expect(new Set(messages.map(({ event }) => event))).toEqual(new Set(['chunk']));
    });
  });

  describe('a microservice over TCP', () => {
    const send = (pattern: string, data: Message): Promise<unknown> =>
      firstValueFrom(client.send<unknown>(pattern, data));

    it('sanitizes the answer to a harmless prompt', async () => {
      expect(await send('ask', { message: 'Hello.', customer: 'customer-42' })).toBe(
        'Hello. [aws_access_key]',
      );
    });

    it.each([
      [
        'an attack with the refusal message',
        { message: ATTACK, customer: 'customer-42' },
        'prompt_blocked',
        REFUSAL,
      ],
      [
        'a message without text',
        { customer: 'customer-42' },
        'prompt_missing',
        'body.message must contain text.',
      ],
      [
        'a caller without a principal',
        { message: 'Hello.' },
        'unauthenticated',
        'Authentication is required.',
      ],
    ])('refuses %s in an RpcException', async (_, data, code, message) => {
      await expect(send('ask', data)).rejects.toMatchObject({ status: 'error', code, message });
    });

    it('sanitizes text that is split over the parts of a response', async () => {
      const parts = client.send<string>('stream', { customer: 'customer-42' }).pipe(toArray());
      expect((await firstValueFrom(parts)).join('')).toBe('The key is [aws_access_key].');
    });

    it('gives a handler the tools of its caller', async () => {
      expect(await send('look up', { customer: 'customer-42' })).toMatchObject({
        result: 'A-1 of customer-42',
      });
    });
  });
});

it('a missing package of a part is reported with the line that installs it', async () => {
  const missing = '@nestjs/sockets';
  await expect(peer('a guarded handler', () => import(missing))).rejects.toThrow(
    'a guarded handler needs @nestjs/sockets, which is not installed: npm install @nestjs/sockets',
  );
});
