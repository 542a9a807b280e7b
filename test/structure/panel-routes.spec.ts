import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { API_ROUTES, ROUTE_KEYS } from '#contracts/api/api.routes.js';

const SOURCES = join(process.cwd(), 'apps/panel/src');

describe('the panel', () => {
  it('offers everything that an operator can do through the API', () => {
    const code = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
      .join('\n');
    const actions = ROUTE_KEYS.filter((key) => API_ROUTES[key].method !== 'GET');
    expect(actions.filter((key) => !code.includes(`'${key}'`))).toEqual([]);
  });
});
