import { Controller, Get } from '@nestjs/common';
import { openApiDocument } from './openapi-document.js';
import { PACKAGE_VERSION } from './package-version.js';

/** The document as text, made once for each mount. */
export class OpenApiText {
  readonly json: string;

  constructor(prefix: string) {
    this.json = JSON.stringify(openApiDocument({ prefix, version: PACKAGE_VERSION }));
  }
}

/** Reached from `<name>/openapi.json`, outside the prefix and behind the same gate; the one answer without an envelope. */
@Controller()
export class OpenApiController {
  constructor(private readonly text: OpenApiText) {}

  @Get('openapi.json')
  show(): string {
    return this.text.json;
  }
}
