import { describe, expect, it } from '@jest/globals';
import { LoginThrottle } from './login-throttle.js';

describe('LoginThrottle', () => {
  it('closes after five failures within a minute, for that address alone', () => {
    let now = 0;
    const throttle = new LoginThrottle(() => now);
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(throttle.isOpen('one')).toBe(true);
      throttle.failed('one');
    }
    expect(throttle.isOpen('one')).toBe(false);
    expect(throttle.isOpen('another')).toBe(true);
    now = 60_000;
    expect(throttle.isOpen('one')).toBe(true);
  });

  it('forgets the failures of who got in', () => {
    const throttle = new LoginThrottle(() => 0);
    for (let attempt = 0; attempt < 4; attempt++) throttle.failed('one');
    throttle.succeeded('one');
    throttle.failed('one');
    expect(throttle.isOpen('one')).toBe(true);
  });
});
