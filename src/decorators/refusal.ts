import { type ExecutionContext, HttpException } from '@nestjs/common';
import { ConfigurationError } from '#contracts/common/errors.js';
import { peer } from '../common/peer.js';

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
      const { WsException } = await peer(
        'a guarded handler of WebSockets',
        () => import('@nestjs/websockets'),
      );
      return new WsException({ status: 'error', ...refused });
    }
    case 'rpc': {
      const { RpcException } = await peer(
        'a guarded handler of a microservice',
        () => import('@nestjs/microservices'),
      );
      return new RpcException({ status: 'error', ...refused });
    }
    default:
      return new ConfigurationError([
        `handlers of ${transport} cannot be guarded by decorators, only those of http, ws and rpc: call Guardrails in the handler`,
      ]);
  }
}
