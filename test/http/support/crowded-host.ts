import {
  All,
  Catch,
  Controller,
  Get,
  HttpException,
  Injectable,
  Post,
  Query,
  Req,
  SetMetadata,
  ValidationPipe,
  VERSION_NEUTRAL,
  VersioningType,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, Reflector } from '@nestjs/core';
import { IsNumberString } from 'class-validator';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { HostSetup } from './host.js';

const PUBLIC = 'host:public';

class PriceDto {
  @IsNumberString()
  readonly amount!: string;
}

@Controller('shop')
class ShopController {
  @Get()
  @SetMetadata(PUBLIC, true)
  open(): { readonly shop: string } {
    return { shop: 'open' };
  }

  @Get('office')
  office(): { readonly office: string } {
    return { office: 'private' };
  }

  @Get('broken')
  @SetMetadata(PUBLIC, true)
  broken(): never {
    throw new Error('the till is jammed');
  }

  @Get('price')
  @SetMetadata(PUBLIC, true)
  price(@Query() { amount }: PriceDto): { readonly price: string } {
    return { price: amount };
  }

  @Get('echo')
  @SetMetadata(PUBLIC, true)
  echo(@Req() { query }: Request): { readonly query: unknown } {
    return { query };
  }

  @Post('weigh')
  @SetMetadata(PUBLIC, true)
  async weigh(@Req() request: Request): Promise<{ readonly bytes: number }> {
    let bytes = 0;
    for await (const chunk of request) bytes += (chunk as Buffer).length;
    return { bytes };
  }
}

/** Answers every path without another route. */
@Controller({ version: VERSION_NEUTRAL })
class EverythingElseController {
  @All('*path')
  @SetMetadata(PUBLIC, true)
  take(): { readonly page: string } {
    return { page: 'of the host' };
  }
}

@Injectable()
class DenyAllGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    return this.reflector.get<boolean | undefined>(PUBLIC, context.getHandler()) === true;
  }
}

@Injectable()
class WrappingInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((wrapped: unknown) => ({ wrapped })));
  }
}

class StampingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    context.switchToHttp().getResponse<Response>().setHeader('X-Stamped', 'by the host');
    return next.handle();
  }
}

@Catch()
class HostsOwnFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const status = error instanceof HttpException ? error.getStatus() : 500;
    host.switchToHttp().getResponse<Response>().status(status).json({ sorry: status });
  }
}

export const HOST_PREFIX = 'v9';

/** A host with every global setting of Nest, which serves every path. */
export const crowdedHost: HostSetup = {
  host: {
    controllers: [ShopController, EverythingElseController],
    providers: [
      { provide: APP_INTERCEPTOR, useClass: WrappingInterceptor },
      { provide: APP_GUARD, useClass: DenyAllGuard },
    ],
  },
  nest: { bodyParser: false, rawBody: true },
  prepare: (application) => {
    application.setGlobalPrefix(HOST_PREFIX);
    application.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    application.useGlobalPipes(
      new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }),
    );
    application.useGlobalInterceptors(new StampingInterceptor());
    application.useGlobalFilters(new HostsOwnFilter());
    application.set('query parser', 'extended');
  },
};
