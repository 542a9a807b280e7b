import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { API_ROUTES, ROUTE_KEYS, routeName } from '#contracts/api/api.routes.js';

import { guardrailsUrl, matchBeside, matchRoute } from './routes.js';

const keyOf = (method: string, path: string): string => {
  const match = matchRoute(method, path);
  return match.kind === 'route' ? match.key : match.kind;
};

describe('contract 1.5: a route', () => {
  it('is matched under the URL that its name builds, with the same parameters', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ROUTE_KEYS.filter((key) => API_ROUTES[key].path.includes(':'))),
        fc
          .string({ unit: 'grapheme', minLength: 1 })
          .filter((text) => text.isWellFormed() && !['trend', 'history'].includes(text)),
        (key, value) => {
          const url = guardrailsUrl(
            routeName(key),
            { id: value, token: value, approval_id: value, name: value },
            '/x/api/',
          );
          const match = matchRoute(API_ROUTES[key].method, url.slice('/x/api'.length));
          expect(match).toMatchObject({ kind: 'route', key });
          expect(Object.values(match.kind === 'route' ? match.params : {})).toEqual([value]);
        },
      ),
    );
  });

  it.each([
    ['GET', '/audit', 'audit.index'],
    ['GET', '/audit/', 'audit.index'],
    ['HEAD', '/audit/trend', 'audit.trend'],
    ['GET', '/audit/7', 'audit.show'],
    ['GET', '/audit/%', 'audit.show'],
    ['POST', '/audit/trend', 'wrong_verb'],
    ['PUT', '/settings/changes', 'wrong_verb'],
    ['GET', '', 'unknown_path'],
    ['GET', '/', 'unknown_path'],
    ['GET', '//audit', 'unknown_path'],
    ['GET', '/audit//', 'unknown_path'],
    ['GET', '/Audit', 'unknown_path'],
    ['GET', '/audit/7/8', 'unknown_path'],
    ['GET', '/events', 'unknown_path'],
    ['POST', '/approvals//approve', 'unknown_path'],
  ])('matches %s %p to %s', (method, path, expected) => {
    expect(keyOf(method, path)).toBe(expected);
  });

  it('builds URLs of known names only', () => {
    expect(guardrailsUrl('guardrails.api.audit.show', { id: 7 })).toBe('/guardrails/api/audit/7');
    expect(guardrailsUrl('guardrails.api.events.stream')).toBe('/guardrails/events');
    expect(() => guardrailsUrl('guardrails.api.audit.show')).toThrow('needs the parameter id');
    expect(() => guardrailsUrl('guardrails.api.toString' as never)).toThrow('no route named');
  });

  it('matches routes beside the prefix, and no other path of the host', () => {
    expect(matchBeside('GET', '/events')).toMatchObject({ kind: 'route', key: 'events.stream' });
    expect(matchBeside('POST', '/events')).toMatchObject({ kind: 'wrong_verb', endpoint: 'event' });
    expect(matchBeside('HEAD', '/openapi.json')).toEqual({ kind: 'document' });
    expect(matchBeside('PUT', '/openapi.json')).toMatchObject({ kind: 'wrong_verb' });
    for (const path of ['', '/', '/audit', '/events/sinks', '/openapi.json/', '/panel']) {
      expect(matchBeside('GET', path)).toBeUndefined();
    }
  });
});
