import { Module } from '@nestjs/common';
import { OrderBook } from './order-book.js';
import { SupportTools } from './tools/support-tools.js';

/** The shop, and what can be done to it. It knows nothing of guardrails. */
@Module({ providers: [OrderBook, SupportTools], exports: [OrderBook, SupportTools] })
export class ShopModule {}
