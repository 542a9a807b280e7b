import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AuditExportLine, AuditLogLine } from '#contracts/audit/entry.js';
import { ExportQuery } from '#contracts/audit/filter.js';
import type { ExportOrder } from '#contracts/audit/store.js';
import { AuditExports } from '#engine/record/audit-exports.js';
import { ApiRequest } from '../http/api-request.js';
import { sendPart } from '../http/send-part.js';
import { setHead } from '../http/envelope.interceptor.js';
import { CurrentAuthor, UntrustedQuery, type Author } from '../http/parameters.js';
import { Answers } from '../openapi/answers.js';
import { filterOf } from './filter-of.js';
import { csvHeader, csvLine, jsonLine, logLine } from './export-lines.js';

/** A client that reads nothing for this long is disconnected. */
const DRAIN_TIMEOUT_MS = 60_000;

const LOG = { format: 'ndjson', name: 'log' } as const;

const TYPES: Readonly<Record<ExportQuery['format'], string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** Served at `<name>/export/…`, beside the prefix. */
@Controller('export')
export class AuditExportController {
  constructor(private readonly exports: AuditExports) {}

  /** Nothing is sent before the first slice was read, so that an earlier failure is answered like any other error. */
  @Get('audit')
  @Answers('audit.export', AuditExportLine, {
    summary: 'Export of decisions, oldest first',
    description:
      'Lines without an envelope; errors have one. The filters are those of `GET /audit`. Recorded with its actor in the change log under `audit.export` before the first line is sent. Entries that are appended after the start are not included. A connection that breaks leaves the export incomplete; continue it with `after`.',
  })
  async export(
    @UntrustedQuery(ExportQuery) query: ExportQuery,
    @CurrentAuthor() { actor, requestId }: Author,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (ApiRequest.get(request).method === 'HEAD') {
      begin(request, response, query).end();
      return;
    }
    for await (const entries of this.exports.entries(orderOf(query), { actorId: actor.id, requestId })) {
      const isFirst = !response.headersSent;
      const header = isFirst ? firstLine(query) : '';
      if (isFirst) begin(request, response, query);
      const lines = entries.map((entry) =>
        query.format === 'csv' ? csvLine(entry, query) : jsonLine(entry),
      );
      if (!(await sendPart(response, header + lines.join(''), DRAIN_TIMEOUT_MS))) return;
    }
    if (!response.headersSent) begin(request, response, query).write(firstLine(query));
    response.end();
  }

  /** The log has no texts, and no names except the actors of retention runs, so its export is not recorded. */
  @Get('log')
  @Answers('audit.log', AuditLogLine, {
    summary: 'The transparency log, from its first leaf to its newest checkpoint',
    description:
      'Lines without an envelope; errors have one. Each line is a leaf or a checkpoint. Empty without `audit.checkpoint_key`. The log contains no texts, and no names except the actor in the `record` of a retention run.',
  })
  async exportLog(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (ApiRequest.get(request).method !== 'HEAD') {
      for await (const items of this.exports.log()) {
        if (!response.headersSent) begin(request, response, LOG);
        if (!(await sendPart(response, items.map(logLine).join(''), DRAIN_TIMEOUT_MS))) return;
      }
    }
    if (!response.headersSent) begin(request, response, LOG);
    response.end();
  }
}

function firstLine(query: ExportQuery) {
  return query.format === 'csv' ? csvHeader(query) : '';
}

function orderOf({ format, with_content: withContent, after, limit, ...query }: ExportQuery): ExportOrder {
  return { format, withContent, after: after ?? 0, limit: limit ?? null, filter: filterOf(query) };
}

interface ExportedFile {
  readonly format: ExportQuery['format'];
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
