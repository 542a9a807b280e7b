// Another instance of the host, killed while its tool runs, after the effect.
import 'reflect-metadata';
import { appendFileSync } from 'node:fs';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Approvals, ApproverGroups, GuardrailsApiModule } from 'nest-guardrails';
import { typeormStores } from 'nest-guardrails/typeorm';

const { url, settings, tool, paidFile } = JSON.parse(process.argv[2] ?? '{}');

class TokenIsTheId {
  canActivate(context) {
    const request = context.switchToHttp().getRequest();
    request.user = { id: request.headers.authorization.replace('Bearer ', '') };
    return true;
  }
}

class Everyone extends ApproverGroups {
  isMember() {
    return true;
  }
}

const refund = {
  ...tool,
  execute() {
    appendFileSync(paidFile, 'paid\n');
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  },
};

class Host {}
Module({
  imports: [
    EventEmitterModule.forRoot(),
    GuardrailsApiModule.forRoot({
      api: { enabled: true, middleware: [TokenIsTheId] },
      stores: typeormStores({ url, poolSize: 3 }),
      settings,
      tools: [refund],
      controls: { approverGroups: new Everyone() },
    }),
  ],
})(Host);

const application = await NestFactory.create(Host, { logger: false, abortOnError: false });
await application.listen(0, '127.0.0.1');
process.on('message', ({ approvalId, decision }) =>
  application.get(Approvals, { strict: false }).decide(approvalId, decision),
);
process.send?.({ port: application.getHttpServer().address().port });
