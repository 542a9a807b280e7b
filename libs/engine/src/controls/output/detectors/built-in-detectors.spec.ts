import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { builtInDetectors } from './built-in-detectors.js';

/** Sample characters. None of the examples is a real key. */
const filler = (length: number): string => 'a1B2c3D4e5F6g7H8i9J0'.repeat(20).slice(0, length);

function found(text: string): string[] {
  return builtInDetectors.flatMap((detector) =>
    detector.find(text).map(([start, end]) => `${detector.name}: ${text.slice(start, end)}`),
  );
}

describe('the built-in detectors', () => {
  it.each([
    ['email', 'ops-1@mail.a.example'],
    ['email', 'größe+tag@bücher.example'],
    ['phone', '+44 20 7946 0018'],
    ['phone', '+49 (30) 901820'],
    ['phone', '(415) 555-2671'],
    ['phone', '415-555-2671'],
    ['card', '4111 1111 1111 1111'],
    ['card', '5555555555554444'],
    ['card', '3782-822463-10005'],
    ['iban', 'GB82 WEST 1234 5698 7654 32'],
    ['iban', 'DE89370400440532013000'],
    ['ipv4', '93.184.216.34'],
    ['ipv6', '2a02:26f0::8a2e:370:7334'],
    ['ipv6', '2a02:26f0:85a3:0000:0000:8a2e:0370:7334'],
    ['us_ssn', '536-22-1234'],
    ['aws_access_key', `AKIA${filler(16).toUpperCase()}`],
    ['github_token', `ghp_${filler(36)}`],
    ['github_token', `github_pat_${filler(82)}`],
    ['slack_token', `xoxb-${filler(24)}`],
    ['model_api_key', `sk-proj-${filler(40)}`],
    ['model_api_key', `sk-ant-api03-${filler(60)}`],
    ['google_api_key', `AIza${filler(35)}`],
    ['stripe_key', `sk_live_${filler(24)}`],
    ['jwt', `eyJ${filler(20)}.eyJ${filler(40)}.${filler(43)}`],
    ['connection_string', 'postgres://app:s3cr3t@db.example'],
    [
      'private_key',
      `-----BEGIN RSA PRIVATE KEY-----\n${filler(64)}\n${filler(40)}\n-----END RSA PRIVATE KEY-----`,
    ],
    ['private_key', `-----BEGIN PRIVATE KEY-----\n${filler(64)}`],
  ])('%s: finds %j, alone and in a sentence', (name, example) => {
    expect(found(example)).toContain(`${name}: ${example}`);
    expect(found(`It is "${example}", he said.`).join()).toContain(example);
  });

  it.each([
    ['assigned_secret', 'api_key = "q7W2e9R4t6"', 'q7W2e9R4t6'],
    ['assigned_secret', 'DB_PASSWORD: x8Kp2!vQz', 'x8Kp2!vQz'],
    ['assigned_secret', '"client_secret": "q7W2e9R4t6"', 'q7W2e9R4t6'],
    ['bearer_token', `Authorization: Bearer ${filler(32)}`, filler(32)],
  ])('%s: finds only the value in %j', (name, text, value) => {
    expect(found(text)).toContain(`${name}: ${value}`);
  });

  it('find a card next to another number', () => {
    expect(found('in 2024 4111 1111 1111 1111 50 times')).toEqual(['card: 4111 1111 1111 1111']);
  });

  it.each([
    'The meeting is at 12:34:56 on 2024-05-06.',
    'Version 1.2.3.4 of the library, section 4.2.1.7, v10.0.0.1',
    'Order 1234567890123456 and id 4111111111111112',
    'std::vector<int>::iterator, dead::beef, a::b',
    'The password is required. Token: optional. secret = something',
    'password: correcthorsebattery',
    'pk_live_abcdefghijklmnopqrst is publishable',
    'sk-learn-is-a-common-misspelling-of-a-library',
    'GB82 WEST 1234 5698 7654 33',
    'localhost is 127.0.0.1 and 0.0.0.0',
    'https://docs.example:8080/a@b and a @ b',
    '666-22-1234, 123-45-678, 000-12-3456',
    'eyJhbGciOi alone is nothing',
    'Call extension 5551234.',
  ])('find nothing in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('continues after a rejected match that begins with a surrogate pair', () => {
    expect(found('𠀀@icon.png, 𠀀ops@icon.png')).toEqual([]);
  });

  it('return ascending spans inside the text that do not overlap', () => {
    const pieces = fc.constantFrom(
      '4',
      '1111',
      ' ',
      '-',
      '.',
      ':',
      '@',
      'a',
      'GB82',
      '+1',
      '::',
      'token=',
      'eyJ',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        for (const detector of builtInDetectors) {
          let read = 0;
          for (const [start, end] of detector.find(text)) {
            expect(start).toBeGreaterThanOrEqual(read);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(text.length);
            read = end;
          }
        }
      }),
    );
  });
});
