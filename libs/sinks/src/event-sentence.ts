import type { DeliveredEvent } from '../../contracts/src/event-sink.js';
import { EVENTS } from '../../contracts/src/events.js';

const SENTENCES = new Map<string, string>(EVENTS.map(({ eventName, description }) => [eventName, description]));

/** What happened, in the words of the reference. */
export function sentenceOf({ name }: DeliveredEvent): string {
  return SENTENCES.get(name) ?? name;
}

const FACTS = [
  'rule_id',
  'tool',
  'application',
  'principal_id',
  'actor_id',
  'run_id',
  'approval_id',
  'mode',
  'outcome',
  'keys',
] as const;

/** What an operator looks at first, each as a name and a text; nothing for what the event does not have. */
export function factsOf({ payload }: DeliveredEvent): readonly (readonly [name: string, text: string])[] {
  return FACTS.flatMap((name) => {
    const value = payload[name];
    if (value === undefined || value === null) return [];
    return [[name.replaceAll('_', ' '), Array.isArray(value) ? value.join(', ') : textOf(value)] as const];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** No longer than this many characters, with a sign where something is missing. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
