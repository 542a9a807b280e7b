import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';

interface AskedRequest {
  readonly headers: { readonly authorization?: string };
  user?: { readonly id: string };
}

@Injectable()
export class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<AskedRequest>();
    if (request.headers.authorization !== `Bearer ${process.env.HOST_TOKEN}`)
      throw new UnauthorizedException();
    request.user = { id: 'ops-1' };
    return true;
  }
}
