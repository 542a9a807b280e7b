import { describe, expect, it } from '@jest/globals';
import { LoginThrottle, ownPath } from './login.controller.js';

describe('LoginThrottle', () => {
  it('blocks an address after five failures within a minute', () => {
    let now = 0;
    const throttle = new LoginThrottle(() => now);
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(throttle.isOpen('one')).toBe(true);
      throttle.recordFailure('one');
    }
    expect(throttle.isOpen('one')).toBe(false);
    expect(throttle.isOpen('another')).toBe(true);
    now = 60_000;
    expect(throttle.isOpen('one')).toBe(true);
  });

  it('resets the failures of an address after a successful login', () => {
    const throttle = new LoginThrottle(() => 0);
    for (let attempt = 0; attempt < 4; attempt++) throttle.recordFailure('one');
    throttle.recordSuccess('one');
    throttle.recordFailure('one');
    expect(throttle.isOpen('one')).toBe(true);
  });
});

describe('ownPath', () => {
  it.each(['/', '/guardrails/panel', '/guardrails/panel/audit?outcome=blocked&q=%2F%2F'])(
    'keeps %s',
    (path) => expect(ownPath(path)).toBe(path),
  );

  it.each([
    undefined,
    ['/one', '/two'],
    '',
    'guardrails/panel',
    'https://evil.example.com/',
    '//evil.example.com',
    '/\\evil.example.com',
    '/\t/evil.example.com',
    '/.//evil.example.com',
    '/..//evil.example.com',
    'javascript:alert(1)',
  ])('replaces %j by the start page', (given) => expect(ownPath(given)).toBe('/'));
});
