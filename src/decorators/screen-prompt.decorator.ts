import 'reflect-metadata';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { ConfigurationError } from '#contracts/common/errors.js';
import { ownMember } from '#contracts/common/text.js';
import { Guardrails } from '#engine/guardrails.js';
import { Callers } from './callers.js';
import { refusal } from './refusal.js';

/** A field of the request. In gateways and microservices, `body` is the payload of the message. */
export type PromptField = `${'body' | 'query' | 'params'}${'' | `.${string}`}`;

const FIELDS = Symbol('nest-guardrails prompt fields');
const FIELD = /^(?:body|query|params)(?:\.[^.]+)*$/;

/**
 * Screens fields of a request before its handler and its pipes run. A blocked text is refused with the refusal
 * message: 422 over HTTP, a `WsException` or an `RpcException` otherwise. A field that is a list or an object is
 * screened with all of its texts; a field without any text is refused.
 */
export function ScreenPrompt(...fields: readonly [PromptField, ...PromptField[]]): MethodDecorator {
  return (target, name, descriptor: PropertyDescriptor) => {
    const wrong = fields.filter((field) => !FIELD.test(field));
    if (wrong.length > 0) {
      throw new ConfigurationError([
        `@ScreenPrompt() of ${target.constructor.name}.${String(name)} has the field ${JSON.stringify(wrong[0])}: begin with body, query or params, such as 'body.message'`,
      ]);
    }
    const handler = descriptor.value as object;
    const others = fieldsOf(handler);
    Reflect.defineMetadata(FIELDS, [...fields, ...others], handler);
    if (others.length === 0) UseInterceptors(ScreenPromptInterceptor)(target, name, descriptor);
  };
}

@Injectable()
class ScreenPromptInterceptor implements NestInterceptor {
  constructor(
    @Inject(Guardrails) private readonly guardrails: Guardrails,
    @Inject(Callers) private readonly callers: Callers,
  ) {
    callers.assertResolver();
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const caller = await this.callers.contextOf(context);
    for (const field of fieldsOf(context.getHandler())) {
      const texts = textsIn(read(context, field));
      if (texts.length === 0)
        throw await refusal(context, { code: 'prompt_missing', message: `${field} must contain text.` });
      const { blocked, refusalMessage, auditId } = await this.guardrails.screen(texts.join('\n'), caller);
      if (!blocked) continue;
      const message = refusalMessage ?? '';
      const details = this.callers.showsDetails && { auditId };
      throw await refusal(context, { code: 'prompt_blocked', message, ...details });
    }
    return next.handle();
  }
}

function fieldsOf(handler: object) {
  return (Reflect.getMetadata(FIELDS, handler) as readonly string[] | undefined) ?? [];
}

function read(context: ExecutionContext, field: string): unknown {
  const [source = '', ...path] = field.split('.');
  return path.reduce<unknown>((value, key) => ownMember(value, key), sourceOf(context, source));
}

function sourceOf(context: ExecutionContext, source: string): unknown {
  const transport = context.getType<string>();
  if (transport === 'http') return Reflect.get(context.switchToHttp().getRequest<object>(), source);
  if (source !== 'body') return undefined;
  return transport === 'ws' ? context.switchToWs().getData() : context.switchToRpc().getData();
}

/** Names of this form are identifiers and contain no prompt, so they are not screened. */
const IDENTIFIER = /^\w{1,24}$/;

/** The texts of a value, in order, without recursion: a client chooses the depth. */
function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null) {
      for (const [name, member] of Object.entries(next).toReversed()) {
        pending.push(member);
        if (!IDENTIFIER.test(name)) pending.push(name);
      }
    }
  }
  return texts;
}
