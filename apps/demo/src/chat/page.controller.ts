import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Callers } from '../auth/callers.js';
import { pageFile } from '../public-folder.js';

@Controller()
export class PageController {
  constructor(private readonly callers: Callers) {}

  @Get()
  chat(@Req() request: Request, @Res() response: Response): void {
    if (this.callers.identify(request) === null) return response.redirect(303, '/login');
    response.sendFile(pageFile('chat.html'));
  }
}
