import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EXPORT_FORMATS, type ExportOrder } from '#contracts/audit.js';
import { AuditExports } from '#engine/audit/audit-exports.js';
import { ApiRequest } from '../http/api-request.js';
import { waitForDrain } from '../http/wait-for-drain.js';
import { setHead } from '../http/envelope.interceptor.js';
import { CurrentAuthor, UntrustedQuery, type Author } from '../http/parameters.js';
import { choice, flag, positiveId, type QueryReader } from '../http/query-reader.js';
import { readListFilter } from './audit.queries.js';
import { csvHeader, csvLine, jsonLine, logLine } from './export-lines.js';

/** A client that reads nothing for this long is disconnected. */
const DRAIN_TIMEOUT_MS = 60_000;

const LOG = { format: 'ndjson', name: 'log' } as const;

const TYPES = { ndjson: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const;

/** Served at `<name>/export/…`, beside the prefix. */
@Controller('export')
export class AuditExportController {
  constructor(private readonly exports: AuditExports) {}

  /** Nothing is sent before the first slice was read, so that an earlier failure is answered like any other error. */
  @Get('audit')
  async export(
    @UntrustedQuery(readExportQuery) order: ExportOrder,
    @CurrentAuthor() { actor, requestId }: Author,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (ApiRequest.get(request).method === 'HEAD') {
      begin(request, response, order).end();
      return;
    }
    for await (const entries of this.exports.entries(order, { actorId: actor.id, requestId })) {
      const isFirst = !response.headersSent;
      const header = isFirst ? head(order) : '';
      if (isFirst) begin(request, response, order);
      const lines = entries.map((entry) =>
        order.format === 'csv' ? csvLine(entry, order) : jsonLine(entry),
      );
      if (!(await write(response, header + lines.join('')))) return;
    }
    if (!response.headersSent) begin(request, response, order).write(head(order));
    response.end();
  }

  /** The log has no texts, and no names except the actors of retention runs, so its export is not recorded. */
  @Get('log')
  async exportLog(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (ApiRequest.get(request).method !== 'HEAD') {
      for await (const items of this.exports.log()) {
        if (!response.headersSent) begin(request, response, LOG);
        if (!(await write(response, items.map(logLine).join('')))) return;
      }
    }
    if (!response.headersSent) begin(request, response, LOG);
    response.end();
  }
}

function readExportQuery(query: QueryReader): ExportOrder {
  return {
    format: query.read('format', choice(EXPORT_FORMATS)) ?? 'ndjson',
    withContent: query.read('with_content', flag) ?? false,
    filter: readListFilter(query),
    after: query.read('after', positiveId) ?? 0,
    limit: query.read('limit', positiveId) ?? null,
  };
}

function head(order: ExportOrder): string {
  return order.format === 'csv' ? csvHeader(order) : '';
}

interface ExportedFile {
  readonly format: ExportOrder['format'];
  /** Default: `audit`. */
  readonly name?: string;
}

function begin(request: Request, response: Response, { format, name = 'audit' }: ExportedFile): Response {
  setHead(response, ApiRequest.get(request), 200);
  response.setHeader('Content-Type', TYPES[format]);
  // `no-transform` keeps middleware such as compression() from buffering the export.
  response.setHeader('Cache-Control', 'no-store, no-transform');
  response.setHeader('Content-Disposition', `attachment; filename="${name}.${format}"`);
  return response;
}

/** `false`: the client is gone, or did not read in time. */
async function write(response: Response, text: string): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(text) || (await waitForDrain(response, DRAIN_TIMEOUT_MS))) return !response.destroyed;
  response.destroy();
  return false;
}
