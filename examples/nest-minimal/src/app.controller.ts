import { Body, Controller, Get, Post } from '@nestjs/common';
import { SanitizeOutput, ScreenPrompt } from 'nest-guardrails';
import { AppService } from './app.service.js';

@Controller()
export class AppController {
  constructor(private readonly appService: AppService) {}

  @Post('chat')
  @ScreenPrompt('body.message')
  @SanitizeOutput()
  chat(@Body() { message }: { message: string }) {
    return `You said <b>${message}</b>`; // call your model here
  }

  @Get()
  getHello(): string {
    return this.appService.getHello();
  }
}
