// Another instance of the host, killed while its tool runs, after the effect.
import 'reflect-metadata';
import { appendFileSync } from 'node:fs';
import { Controller, Module, Post, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Approvals, ApproverGroups, GuardrailsApiModule } from 'nest-guardrails';
import { SlackApprovals } from 'nest-guardrails/slack';
import { typeormStores } from 'nest-guardrails/typeorm';

const { url, settings, tool, paidFile, slack: options } = JSON.parse(process.argv[2] ?? '{}');

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

const slack = new SlackApprovals({
  ...options,
  actorOf: (_team, user) => decodeURIComponent(user.slice(2)),
  mayDecide: () => true,
});

class SlackController {
  interact({ rawBody, headers }) {
    return slack.handle(rawBody, headers).body;
  }
}
Controller('slack')(SlackController);
Post('interactions')(
  SlackController.prototype,
  'interact',
  Object.getOwnPropertyDescriptor(SlackController.prototype, 'interact') ?? {},
);
Req()(SlackController.prototype, 'interact', 0);

// oxlint-disable-next-line typescript/no-extraneous-class -- decorated below, without decorator syntax
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
  controllers: [SlackController],
})(Host);

const application = await NestFactory.create(Host, { logger: false, abortOnError: false, rawBody: true });
await application.listen(0, '127.0.0.1');
slack.connect(application.get(Approvals, { strict: false }));
process.on('message', ({ approvalId, decision }) => {
  void application.get(Approvals, { strict: false }).decide(approvalId, decision);
});
process.send?.({ port: application.getHttpServer().address().port });
