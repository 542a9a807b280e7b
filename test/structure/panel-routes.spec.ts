import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROUTE_KEYS } from '#contracts/api/api.routes.js';

const SOURCES = join(process.cwd(), 'apps/panel/src');

/** Routes that the panel does not use, with the reason. */
const NOT_USED = {
  'audit.export': 'the command line writes exports in parts, with a manifest',
  'audit.log': 'for the verifier of auditors',
  'freeze.index': '`GET /overview` has the freezes in force',
  metrics: 'for Prometheus',
  'events.stream': 'used by `events()` of the client',
} as const;

describe('the panel', () => {
  it('uses every route, or the route is listed as one that it does not use', () => {
    const code = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
      .join('\n');
    const unused = ROUTE_KEYS.filter((key) => !code.includes(`'${key}'`));
    expect(unused.toSorted()).toEqual(Object.keys(NOT_USED).toSorted());
  });
});
