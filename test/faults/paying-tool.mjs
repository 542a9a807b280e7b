import { BUILT_IN_RULES } from '../../dist/libs/engine/src/controls/screening/rules/built-in-rules.js';
import { query } from './fault-environment.mjs';

export const APPROVING = {
  'hitl.enabled': true,
  'hitl.token_secret': 'a secret of the faults, thirty-two bytes and more',
  // Compiling the built-in rules takes most of the start of a process, and these faults do not screen.
  'input_screen.patterns': Object.fromEntries(BUILT_IN_RULES.map(({ id }) => [id, '/never/'])),
};

/** Counts the effects of the tool outside the instances. */
export function makeEffects(url) {
  return query(
    url,
    'create table effects (id serial primary key, key text not null, amount integer not null)',
  );
}

/** Pays once for each call; with `idempotent`, once for each key. With `holds`, it does not return. */
export function payingTool({ url, idempotent = false, holds = false, onStep = () => undefined }) {
  const pay = idempotent
    ? 'insert into effects (key, amount) select $1, $2 where not exists (select 1 from effects where key = $1)'
    : 'insert into effects (key, amount) values ($1, $2)';
  return {
    name: 'refund',
    idempotent,
    parameters: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
    async execute({ amount }, { idempotencyKey }) {
      onStep('before the effect');
      await query(url, pay, [idempotencyKey, amount]);
      onStep('after the effect');
      if (holds) await new Promise(() => undefined);
      return { paid: amount };
    },
  };
}
