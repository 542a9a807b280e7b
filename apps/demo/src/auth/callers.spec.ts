import { describe, expect, it } from '@jest/globals';
import { isSafeMethod, isSameOrigin } from './callers.js';

const host = '127.0.0.1:3000';
const origin = `http://${host}`;

describe('isSameOrigin', () => {
  it.each([
    { 'sec-fetch-site': 'same-origin', origin },
    { 'sec-fetch-site': 'same-origin' },
    // The demo is behind a proxy that changes Host.
    { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:4000' },
    { origin },
  ])('accepts a request of our own page: %j', (headers) =>
    expect(isSameOrigin({ host, ...headers })).toBe(true),
  );

  it.each([
    {},
    { 'sec-fetch-site': 'cross-site', origin },
    { 'sec-fetch-site': 'same-site', origin },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://evil.example.com' },
    { origin: 'http://127.0.0.1:3000.evil.example.com' },
    { origin: 'null' },
    { origin: '' },
  ])('rejects a request that another page could send: %j', (headers) =>
    expect(isSameOrigin({ host, ...headers })).toBe(false),
  );

  it('rejects a request without a host header', () => expect(isSameOrigin({ origin })).toBe(false));
});

describe('isSafeMethod', () => {
  it.each(['GET', 'HEAD', 'OPTIONS'])('accepts %s', (method) => expect(isSafeMethod(method)).toBe(true));

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'get'])('rejects %s', (method) =>
    expect(isSafeMethod(method)).toBe(false),
  );
});
