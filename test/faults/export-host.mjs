// A host of the built package that serves the admin API to everyone as one operator, in a process that may be killed.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { GuardrailsApiModule } from 'nest-guardrails';
import { typeormStores } from 'nest-guardrails/typeorm';

const { url, port = 0 } = JSON.parse(process.argv[2]);

const enter = (request, _response, next) => {
  request.user = { id: 'ops-1' };
  next();
};

const module = GuardrailsApiModule.forRoot({
  api: { enabled: true, middleware: [enter] },
  settings: { 'hitl.token_secret': 'a secret of the faults, thirty-two bytes and more' },
  stores: typeormStores({ url, statementTimeoutMs: 30_000 }),
});

const application = await NestFactory.create(module, { logger: false });
await application.listen(port, '127.0.0.1');
process.send({ answer: application.getHttpServer().address().port });
process.once('disconnect', () => process.exit());
