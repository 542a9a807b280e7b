import { Module } from '@nestjs/common';
import { DemoData } from '../storage/demo-data.js';
import { AccessGuard } from './access.guard.js';
import { Callers } from './callers.js';
import { LoginController, LoginThrottle } from './login.controller.js';
import { Sessions } from '../storage/sessions.js';

@Module({
  controllers: [LoginController],
  providers: [
    AccessGuard,
    Callers,
    { provide: LoginThrottle, useFactory: () => new LoginThrottle() },
    {
      provide: Sessions,
      inject: [DemoData],
      useFactory: ({ credentials }: DemoData) => new Sessions(credentials.sessionSecret),
    },
  ],
  exports: [AccessGuard, Callers],
})
export class AuthModule {}
