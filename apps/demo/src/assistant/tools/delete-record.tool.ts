import type { Tool } from '../../../../../libs/contracts/src/index.js';
import type { OrderBook } from '../order-book.js';
import { CUSTOMER_ID, ORDER_ID } from './tool-schema.js';

interface DeleteRecord {
  readonly order_id: string;
  readonly customer_id: string;
}

export function deleteRecordTool(book: OrderBook): Tool<string> {
  return {
    name: 'delete_record',
    description: 'Removes the record of one order.',
    parameters: {
      type: 'object',
      properties: { order_id: ORDER_ID, customer_id: CUSTOMER_ID },
      required: ['order_id', 'customer_id'],
    },
    execute: (args) => {
      const { order_id, customer_id } = args as unknown as DeleteRecord;
      return `The record of order ${book.delete(order_id, customer_id).id} is deleted.`;
    },
  };
}
