import * as z from 'zod';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { ToolFirewall } from '../../dist/libs/engine/src/controls/firewall/tool-firewall.js';
import { violationsOf } from '../../dist/libs/engine/src/controls/firewall/tool-schema.js';
import { interleaved } from './measure.mjs';

const CHECKS = 20_000;
const ROUNDS = 9;

const order = z.strictObject({
  order: z.string().regex(/^A-[0-9]{4,8}$/),
  amount: z.number().min(0).max(10_000),
  currency: z.enum(['EUR', 'USD', 'GBP']),
  customer_id: z.string(),
  reason: z.string().max(200).optional(),
  lines: z.array(z.strictObject({ sku: z.string(), quantity: z.int().min(1) })).max(20),
});
const schema = order['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
const args = {
  order: 'A-1182',
  amount: 12.5,
  currency: 'EUR',
  customer_id: 'customer-42',
  lines: [
    { sku: 'tea-1', quantity: 2 },
    { sku: 'cup-7', quantity: 1 },
  ],
};
const bad = { ...args, amount: '12.5', extra: true, lines: [{ sku: 1, quantity: 0 }] };

const settings = new Settings(DEFAULT_SETTINGS);
const tool = { name: 'refund', parameters: schema, execute: () => null };
const context = { principalId: 'customer-42' };
const firewall = new ToolFirewall(null);

if (Object.keys(violationsOf(schema, args, settings)).length > 0)
  throw new Error('The good arguments are refused.');
if (Object.keys(violationsOf(schema, bad, settings)).length !== 4) throw new Error('A violation was missed.');
if (!order.safeParse(args).success || order.safeParse(bad).success) throw new Error('zod judges otherwise.');

const checked = () => violationsOf(schema, args, settings);
const judged = () => firewall.judge(tool, args, context, settings);

/** Argument checks per second, compared with zod and the same schema. */
export async function argumentFigures() {
  const valid = () => order.safeParse(args);
  return [
    await beside('a valid call', checked, valid, 0.5),
    await beside(
      'a violating call',
      () => violationsOf(schema, bad, settings),
      () => order.safeParse(bad),
      0.5,
    ),
    await beside('a whole judgement: read, scoped, checked', judged, valid, 0.01),
  ];
}

/** Checks per second, measured alternately. `goal` is the minimum ratio to zod. */
async function beside(name, ours, zods, goal) {
  const [ourTime, zodTime] = await interleaved(ROUNDS, [() => repeated(ours), () => repeated(zods)]);
  const [value, peer] = [ourTime, zodTime].map((milliseconds) => (CHECKS / milliseconds) * 1000);
  return {
    name: `${name}, checks a second`,
    value,
    peers: { zod: peer },
    goal: `>= ${goal} of zod`,
    met: value >= goal * peer,
  };
}

async function repeated(check) {
  for (let turn = 0; turn < CHECKS; turn++) {
    const result = check();
    if (result instanceof Promise) await result;
  }
}
