// A Nest application with nothing but this package.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { GuardrailsApiModule } from 'nest-guardrails';
import { typeormStores } from 'nest-guardrails/typeorm';
import { tell } from './serve.mjs';

const host = GuardrailsApiModule.forRoot({
  api: { enabled: true, middleware: [(_request, _response, next) => next()] },
  stores: typeormStores({ url: process.argv[2] }),
  settings: { 'hitl.token_secret': 'a secret of the benchmark, thirty-two bytes and more' },
});

const application = await NestFactory.create(host, { logger: ['error'] });
await application.init();
tell(application.getHttpServer());
