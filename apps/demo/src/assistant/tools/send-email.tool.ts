import type { Tool } from '../../../../../libs/contracts/src/index.js';
import type { Email, OrderBook } from '../order-book.js';

export function sendEmailTool(book: OrderBook): Tool<string> {
  return {
    name: 'send_email',
    description: 'Sends an email in the name of the shop.',
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
      return `The email "${email.subject}" went to ${email.to}.`;
    },
  };
}
