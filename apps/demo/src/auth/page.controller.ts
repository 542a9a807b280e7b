import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Callers } from './callers.js';

/** `public` is not compiled, so it is found relative to the sources and relative to `dist`. */
const PUBLIC_FOLDER =
  ['../../public', '../../../../../apps/demo/public']
    .map((path) => join(import.meta.dirname, path))
    .find((path) => existsSync(path)) ?? '';

export const ASSETS_FOLDER = join(PUBLIC_FOLDER, 'assets');

export function pageFile(name: string): string {
  return join(PUBLIC_FOLDER, name);
}

@Controller()
export class PageController {
  constructor(private readonly callers: Callers) {}

  @Get()
  chat(@Req() request: Request, @Res() response: Response): void {
    if (this.callers.identify(request) === null) return response.redirect(303, '/login');
    response.sendFile(pageFile('chat.html'));
  }
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  // With `no-referrer` browsers would send `Origin: null` with our own forms.
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
}
