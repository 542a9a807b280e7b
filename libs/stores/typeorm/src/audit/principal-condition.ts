import { scrubText } from '../../../../contracts/src/text.js';
import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import { principalDigest } from './batch.js';

/** Whether a reference is to whoever has this name: nobody, where it was erased or never came. */
export function principalIs(
  reference: string,
  name: string,
  { principals }: Tables,
  parameters: Parameters,
): string {
  const digest = parameters.add(principalDigest(scrubText(name)));
  return `${reference} = (select id from ${principals} where digest = ${digest})`;
}
