import { unescape } from 'node:querystring';
import { scrubText } from '../../../libs/contracts/src/text.js';

/**
 * The scalars of a raw query string. A parameter that is repeated, or given as an array in any notation, is as
 * good as absent, and so is an empty one. Read here and not by the host's parser, of which there are several.
 */
export function queryParameters(query: string): ReadonlyMap<string, string> {
  const scalars = new Map<string, string>();
  const seen = new Set<string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const key = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const bracket = key.indexOf('[');
    const name = bracket < 0 ? key : key.slice(0, bracket);
    if (bracket >= 0 || seen.has(name)) scalars.delete(name);
    else scalars.set(name, equals < 0 ? '' : decoded(pair.slice(equals + 1)));
    seen.add(name);
  }
  for (const [name, value] of scalars) if (value === '') scalars.delete(name);
  return scalars;
}

/** Broken percent-encodings stand for themselves; what no store can hold is replaced as stores replace it. */
function decoded(text: string): string {
  return scrubText(unescape(text.replaceAll('+', ' ')));
}
