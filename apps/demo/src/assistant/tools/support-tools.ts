import { Injectable } from '@nestjs/common';
import type { Tool } from '../../../../../libs/contracts/src/index.js';
import { OrderBook } from '../order-book.js';
import { deleteRecordTool } from './delete-record.tool.js';
import { lookupOrderTool } from './lookup-order.tool.js';
import { refundTool } from './refund.tool.js';
import { sendEmailTool } from './send-email.tool.js';

/** What the settings call destructive: calls of these wait for a human. */
export const DESTRUCTIVE_TOOLS = ['refund', 'delete_record', 'send_email'];

/** Everything the assistant can do to the shop. */
@Injectable()
export class SupportTools {
  readonly all: readonly Tool<string>[];

  constructor(book: OrderBook) {
    this.all = [lookupOrderTool(book), refundTool(book), deleteRecordTool(book), sendEmailTool(book)];
  }
}
