import { Controller, Get } from '@nestjs/common';
import { openApiDocument } from './openapi-document.js';

/** Repeated here because a bundle has no package.json beside it. A test compares the two. */
export const PACKAGE_VERSION = '0.1.0';

/** The document as text, built once per mount. */
export class OpenApiText {
  readonly json: string;

  constructor(prefix: string) {
    this.json = JSON.stringify(openApiDocument({ prefix, version: PACKAGE_VERSION }));
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
