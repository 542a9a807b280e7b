import { randomUUID } from 'node:crypto';
import type { Tool } from '../../../../../libs/contracts/src/index.js';
import type { OrderBook } from '../order-book.js';
import { CUSTOMER_ID, ORDER_ID } from './tool-schema.js';

interface Refund {
  readonly order_id: string;
  readonly euros: number;
  readonly customer_id: string;
}

export function refundTool(book: OrderBook): Tool<string> {
  return {
    name: 'refund',
    description: 'Pays an order back. Up to 500 euros.',
    parameters: {
      type: 'object',
      properties: {
        order_id: ORDER_ID,
        euros: { type: 'number', exclusiveMinimum: 0, maximum: 500 },
        customer_id: CUSTOMER_ID,
      },
      required: ['order_id', 'euros', 'customer_id'],
    },
    idempotent: true,
    execute: (args, { idempotencyKey }) => {
      const { order_id, euros, customer_id } = args as unknown as Refund;
      const order = book.refund(order_id, customer_id, idempotencyKey ?? randomUUID());
      return `Paid ${euros} euros back to ${order.customerId} for order ${order.id}.`;
    },
  };
}
