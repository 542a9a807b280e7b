import { describe, expect, it } from '@jest/globals';
import { isSafe, isSameOrigin } from './same-origin.js';

const host = '127.0.0.1:3000';
const origin = `http://${host}`;

describe('isSameOrigin', () => {
  it.each([{ 'sec-fetch-site': 'same-origin', origin }, { 'sec-fetch-site': 'same-origin' }, { origin }])(
    'takes what our own page sent: %j',
    (headers) => expect(isSameOrigin({ host, ...headers })).toBe(true),
  );

  it.each([
    {},
    { 'sec-fetch-site': 'cross-site', origin },
    { 'sec-fetch-site': 'same-site', origin },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:4000' },
    { origin: 'http://evil.example.com' },
    { origin: 'http://127.0.0.1:3000.evil.example.com' },
    { origin: 'null' },
    { origin: '' },
  ])('refuses what another page may have sent: %j', (headers) =>
    expect(isSameOrigin({ host, ...headers })).toBe(false),
  );

  it('refuses where the request names no host', () => expect(isSameOrigin({ origin })).toBe(false));
});

describe('isSafe', () => {
  it('takes nothing that could change something for safe', () => {
    expect(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'get'].map(isSafe)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
