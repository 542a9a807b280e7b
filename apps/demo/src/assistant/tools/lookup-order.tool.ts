import type { Tool } from '../../../../../libs/contracts/src/index.js';
import type { OrderBook } from '../order-book.js';
import { CUSTOMER_ID, ORDER_ID } from './tool-schema.js';

interface LookupOrder {
  readonly order_id: string;
  readonly customer_id: string;
}

export function lookupOrderTool(book: OrderBook): Tool<string> {
  return {
    name: 'lookup_order',
    description: 'Tells what an order is, and where it is.',
    parameters: {
      type: 'object',
      properties: { order_id: ORDER_ID, customer_id: CUSTOMER_ID },
      required: ['order_id', 'customer_id'],
    },
    execute: (args) => {
      const { order_id, customer_id } = args as unknown as LookupOrder;
      const order = book.find(order_id, customer_id);
      if (order === null) return `${customer_id} has no order ${order_id}.`;
      const note = order.note === '' ? '' : ` Note: ${order.note}`;
      return `Order ${order.id} of ${order.customerId}: ${order.item}, ${order.euros} euros, ${order.status}.${note}`;
    },
  };
}
