import { randomUUID } from 'node:crypto';
import { Injectable, Module } from '@nestjs/common';
import type { Tool } from '#contracts/firewall/firewall.js';
import type { Policies } from '#contracts/policies/policies.js';
import { OrderBook, type Email } from './order-book.js';

/** The value of `hitl.destructive_tools`: every call of these tools waits for one approval. */
export const DESTRUCTIVE_TOOLS = ['delete_record', 'send_email'];

/** The value of `hitl.policies`: small refunds run, large ones need two approvals. */
export const POLICIES: Policies = {
  refund: {
    rules: [
      { when: { '/euros': { lte: 50 } }, require: 'allow' },
      { when: { '/euros': { lte: 500 } }, require: 'approval' },
      { when: {}, require: 'approval', approvers: 2, reason: 'required' },
    ],
    limits: [{ count: true, lte: 10, per: 'hour', require: 'approval' }],
  },
};

const ORDER_ID = { type: 'string', pattern: '^[A-Z]-[0-9]{4}$', description: 'For example A-1182.' };

/** An owner key: the firewall replaces the value of the model with the authenticated customer. */
const CUSTOMER_ID = { type: 'string', description: 'The customer who placed the order.' };

const ORDER_PARAMETERS: Tool['parameters'] = {
  type: 'object',
  properties: { order_id: ORDER_ID, customer_id: CUSTOMER_ID },
  required: ['order_id', 'customer_id'],
};

/** The tools of the assistant. */
@Injectable()
export class SupportTools {
  readonly all: readonly Tool<string>[];

  constructor(book: OrderBook) {
    this.all = [lookupOrderTool(book), refundTool(book), deleteRecordTool(book), sendEmailTool(book)];
  }
}

/** The shop and its tools. Independent of the guardrails. */
@Module({ providers: [OrderBook, SupportTools], exports: [OrderBook, SupportTools] })
export class ShopModule {}

interface OrderArguments {
  readonly order_id: string;
  readonly customer_id: string;
}

function lookupOrderTool(book: OrderBook): Tool<string> {
  return {
    name: 'lookup_order',
    description: 'Returns the details and the delivery status of an order.',
    parameters: ORDER_PARAMETERS,
    execute: (args) => {
      const { order_id, customer_id } = args as unknown as OrderArguments;
      const order = book.find(order_id, customer_id);
      if (order === null) return `${customer_id} has no order ${order_id}.`;
      const note = order.note === '' ? '' : ` Note: ${order.note}`;
      return `Order ${order.id} of ${order.customerId}: ${order.item}, ${order.euros} euros, ${order.status}.${note}`;
    },
  };
}

function refundTool(book: OrderBook): Tool<string> {
  return {
    name: 'refund',
    description: 'Refunds an order or a part of its price, up to 5000 euros.',
    parameters: {
      type: 'object',
      properties: {
        order_id: ORDER_ID,
        euros: { type: 'number', exclusiveMinimum: 0, maximum: 5000 },
        customer_id: CUSTOMER_ID,
      },
      required: ['order_id', 'euros', 'customer_id'],
    },
    idempotent: true,
    execute: (args, { idempotencyKey }) => {
      const { order_id, euros, customer_id } = args as unknown as OrderArguments & { readonly euros: number };
      const order = book.refund(order_id, customer_id, euros, idempotencyKey ?? randomUUID());
      return `Paid ${euros} euros back to ${order.customerId} for order ${order.id}.`;
    },
  };
}

function deleteRecordTool(book: OrderBook): Tool<string> {
  return {
    name: 'delete_record',
    description: 'Deletes the record of one order.',
    parameters: ORDER_PARAMETERS,
    execute: (args) => {
      const { order_id, customer_id } = args as unknown as OrderArguments;
      return `The record of order ${book.delete(order_id, customer_id).id} is deleted.`;
    },
  };
}

function sendEmailTool(book: OrderBook): Tool<string> {
  return {
    name: 'send_email',
    description: 'Sends an email from the shop.',
    parameters: {
      type: 'object',
      properties: {
        to: { type: 'string', format: 'email', maxLength: 200 },
        subject: { type: 'string', minLength: 1, maxLength: 120 },
        body: { type: 'string', minLength: 1, maxLength: 4000 },
      },
      required: ['to', 'subject', 'body'],
    },
    execute: (args) => {
      const email = args as unknown as Email;
      book.send(email);
      return `The email "${email.subject}" was sent to ${email.to}.`;
    },
  };
}
