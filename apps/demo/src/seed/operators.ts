import type { Actor } from '../../../../src/index.js';

export const OPERATORS: readonly Actor[] = [{ id: 'ops-1' }, { id: 'ops-2' }];

export interface PastChange {
  readonly daysAgo: number;
  readonly actorId: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** How the team came to today's settings: it watched first, enforced later, and wrote a rule of its own. */
export const PAST_CHANGES: readonly PastChange[] = [
  { daysAgo: 30, actorId: 'ops-1', settings: { 'modes.input_screen': 'monitor' } },
  { daysAgo: 23, actorId: 'ops-1', settings: { 'modes.input_screen': null } },
  {
    daysAgo: 15,
    actorId: 'ops-2',
    settings: { 'input_screen.patterns': { 'shop.price_match': '/\\bprice match\\b/i' } },
  },
  {
    daysAgo: 14,
    actorId: 'ops-2',
    settings: { 'input_screen.rule_modes': { 'shop.price_match': 'monitor' } },
  },
  { daysAgo: 12, actorId: 'ops-1', settings: { 'modes.output_handler': 'monitor' } },
  { daysAgo: 10, actorId: 'ops-1', settings: { 'modes.output_handler': null } },
  {
    daysAgo: 5,
    actorId: 'ops-2',
    settings: { 'input_screen.refusal_message': 'Sorry, I cannot help with that. Ask me about your orders.' },
  },
];
