import { Controller, Get } from '@nestjs/common';
import { openApiDocument } from './openapi-document.js';

/** Repeated here because a bundle has no package.json beside it. A test compares the two. */
export const PACKAGE_VERSION = '0.1.0';

/** The document as text, built when it is first asked for. */
export class OpenApiText {
  private text: string | null = null;

  constructor(private readonly prefix: string) {}

  get json(): string {
    this.text ??= JSON.stringify(openApiDocument({ prefix: this.prefix, version: PACKAGE_VERSION }));
    return this.text;
  }
}

/** Served at `<name>/openapi.json`, beside the prefix and behind the same gate. Its answer has no envelope. */
@Controller()
export class OpenApiController {
  constructor(private readonly text: OpenApiText) {}

  @Get('openapi.json')
  show(): string {
    return this.text.json;
  }
}
