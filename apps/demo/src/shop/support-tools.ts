import { randomUUID } from 'node:crypto';
import { Injectable, Module } from '@nestjs/common';
import { defineTool, type Tool } from '#contracts/firewall/firewall.js';
import type { Policies } from '#contracts/policies/policies.js';
import { OrderBook } from './order-book.js';

/** The value of `hitl.destructive_tools`: every call of these tools waits for one approval. */
export const DESTRUCTIVE_TOOLS = ['delete_record', 'send_email'];

/**
 * The value of `hitl.policies`: small refunds run, large ones need two approvals. A mail runs where the customer typed its
 * address and no text of others gave orders; the data in it must be known as well.
 */
export const POLICIES: Policies = {
  refund: {
    rules: [
      { when: { '/euros': { lte: 50 } }, require: 'allow' },
      { when: { '/euros': { lte: 500 } }, require: 'approval' },
      { when: {}, require: 'approval', approvers: 2, reason: 'required' },
    ],
    limits: [{ count: true, lte: 10, per: 'hour', require: 'approval' }],
  },
  send_email: {
    rules: [
      { when: {}, vouched: ['/to', '/body'], require: 'approval' },
      { when: {}, after: 'suspect', require: 'approval' },
      { when: {}, require: 'allow' },
    ],
    limits: [],
  },
};

const ORDER_ID = { type: 'string', pattern: '^[A-Z]-[0-9]{4}$', description: 'For example A-1182.' } as const;

/** An owner key: the firewall replaces the value of the model with the authenticated customer. */
const CUSTOMER_ID = { type: 'string', description: 'The customer who placed the order.' } as const;

const ORDER_PARAMETERS = {
  type: 'object',
  properties: { order_id: ORDER_ID, customer_id: CUSTOMER_ID },
  required: ['order_id', 'customer_id'],
} as const;

/** The tools of the assistant. */
@Injectable()
export class SupportTools {
  readonly all: readonly Tool<string>[];

  constructor(book: OrderBook) {
    this.all = [
      defineTool({
        name: 'lookup_order',
        description: 'Returns the details and the delivery status of an order.',
        parameters: ORDER_PARAMETERS,
        execute: ({ order_id, customer_id }) => {
          const order = book.find(order_id, customer_id);
          if (order === null) return `${customer_id} has no order ${order_id}.`;
          const note = order.note === '' ? '' : ` Note: ${order.note}`;
          return `Order ${order.id} of ${order.customerId}: ${order.item}, ${order.euros} euros, ${order.status}.${note}`;
        },
      }),
      defineTool({
        name: 'read_mail',
        description: 'Returns the new mails to the shop.',
        parameters: { type: 'object', properties: {} },
        execute: () => book.inbox.join('\n\n'),
      }),
      defineTool({
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
        describe: ({ order_id, euros }, say) => say`Refund ${euros} euros for order ${order_id}`,
        execute: ({ order_id, euros, customer_id }, { idempotencyKey }) => {
          const order = book.refund(order_id, customer_id, euros, idempotencyKey ?? randomUUID());
          return `Paid ${euros} euros back to ${order.customerId} for order ${order.id}.`;
        },
      }),
      defineTool({
        name: 'delete_record',
        description: 'Deletes the record of one order.',
        parameters: ORDER_PARAMETERS,
        describe: ({ order_id }, say) => say`Delete the record of order ${order_id}`,
        execute: ({ order_id, customer_id }) =>
          `The record of order ${book.delete(order_id, customer_id).id} is deleted.`,
      }),
      defineTool({
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
        describe: ({ to, subject }, say) => say`Send the mail "${subject}" to ${to}`,
        execute: (email) => {
          book.send(email);
          return `The email "${email.subject}" was sent to ${email.to}.`;
        },
      }),
    ];
  }
}

/** The shop and its tools. Independent of the guardrails. */
@Module({ providers: [OrderBook, SupportTools], exports: [OrderBook, SupportTools] })
export class ShopModule {}
