import type { RuleListData } from '#client/index.js';
import { client } from './session.js';

/** The largest page. The server preloads the first one with the screen of the rules. */
const PAGE_SIZE = 200;

/** All rules, without patterns and examples. The first page tells their number, so that the others are read at once. */
export async function readRules(signal?: AbortSignal): Promise<RuleListData> {
  const read = async (cursor?: number): Promise<RuleListData> => {
    const query = { fields: 'summary', limit: PAGE_SIZE, cursor };
    return (await client.call('rules.index', { query, signal })).data;
  };
  const first = await read();
  const count = Math.max(0, Math.ceil(first.total / PAGE_SIZE) - 1);
  const others = Array.from({ length: count }, (_, index) => read((index + 1) * PAGE_SIZE));
  const pages = [first, ...(await Promise.all(others))];
  return {
    ...first,
    rules: pages.flatMap(({ rules }) => rules),
    groups: pages.flatMap(({ groups }) => groups),
  };
}
