import { type ExecutionContext, HttpException } from '@nestjs/common';
import { ConfigurationError } from '#contracts/errors.js';

/** Why a decorator refuses a call. */
export interface Refusal {
  readonly code: 'unauthenticated' | 'prompt_missing' | 'prompt_blocked';
  readonly message: string;
  /** The id of the entry in the audit. */
  readonly auditId?: number | null;
}

/** The exception that the transport of a handler sends to its caller. */
export async function refusal(context: ExecutionContext, refused: Refusal): Promise<Error> {
  const transport = context.getType<string>();
  const statusCode = refused.code === 'unauthenticated' ? 401 : 422;
  switch (transport) {
    case 'http':
      return new HttpException({ statusCode, ...refused }, statusCode);
    case 'ws': {
      const { WsException } = await peer('@nestjs/websockets', () => import('@nestjs/websockets'));
      return new WsException({ status: 'error', ...refused });
    }
    case 'rpc': {
      const { RpcException } = await peer('@nestjs/microservices', () => import('@nestjs/microservices'));
      return new RpcException({ status: 'error', ...refused });
    }
    default:
      return new ConfigurationError([
        `handlers of ${transport} cannot be guarded by decorators, only those of http, ws and rpc: call Guardrails in the handler`,
      ]);
  }
}

/** Loads an optional peer, which only hosts with its transport have. */
export async function peer<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const code = (cause as { readonly code?: unknown } | null)?.code;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new ConfigurationError([
      `${name} is not installed, and a handler of its transport is guarded by a decorator: npm install ${name}`,
    ]);
  }
}
