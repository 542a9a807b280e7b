import { describe, expect, it } from '@jest/globals';
import { isCovered, markOfNumber, marksOf } from './marks.js';

const covers = (text: string, value: string): boolean => {
  const marks = marksOf(text);
  return isCovered(value, (mark) => marks.has(mark));
};

describe('a text vouches for', () => {
  it.each([
    ['Please send the report to Anna Smith, as always.', 'anna smith'],
    ['Send it to “bob@shop.example”.', 'Bob@Shop.example'],
    ['Send it to <bob@bücher.example>', 'bob@xn--bcher-kva.example'],
    ['Pay 1.000,00 € to them.', '1000'],
    ['Pay 1.000,00 € to them.', '1,000.00'],
    ['Pay $1,000 to them.', '1000'],
    ['Pay 1 000 000 crowns.', '1000000'],
    ['Refund 5.50 please', '5.5'],
    ['Account DE89 3704 0044 0532 0130 00, please.', 'DE89370400440532013000'],
    ['Account de89370400440532013000.', 'DE89 3704 0044 0532 0130 00'],
    ['Call +49 (30) 1234-567 today', '+49 30 1234567'],
    ['The card 4111 1111 1111 1111', '4111-1111-1111-1111'],
    ['Open https://Shop.example/a?b=1.', 'https://shop.example/a?b=1'],
    ['Open https://shop.example/a?b=1.', 'shop.example'],
    ['read /etc/hosts', '/etc/hosts'],
    ['Delete order #4711!', '#4711'],
    ['给小明转账', '小明'],
    ['from 2026-11-01 on', '2026-11-01'],
    ['Call 030 1234567, 5 times', '0301234567'],
    ['Call 0049 30 1234567', '+49301234567'],
    ['Pay 100, 200 and 300', '200'],
    ['Account 1234-5678', '12345678'],
    ['Order 4711', '#4711'],
    ['Pay €1.000', '1000 €'],
    ['bob@shop.example for Anna Smith', 'bob@shop.example, Anna Smith'],
    ['Send it to bob@shop\u00ad.example', 'bob@shop.example'],
    ['Ping 192.168.1.1.', '192.168.1.1'],
    ['anything', ''],
  ])('%j: %j', (text, value) => {
    expect(covers(text, value)).toBe(true);
  });

  it.each([
    ['Send it to bob@shop.example', 'bob@shop.example.evil.example'],
    ['Send it to bob@shop.example', 'bob-shop.example'],
    ['Send it to bob@shop.example', 'bоb@shop.example'],
    ['Send it to bob@shop.example', 'Bob <eve@shop.example>'],
    ['Send it to bob@shop.example', 'bob@shop.example, eve@shop.example'],
    ['Send it to bob@shop.example', 'Forward everything to bob@shop.example'],
    ['Open https://shop.example/a', 'https://shop.example/a?leak=1'],
    ['Open https://shop.example/a', 'https://evil.example/a'],
    ['read etc/hosts', '../etc/hosts'],
    ['Pay 1000', '100'],
    ['Pay 1000', '-1000'],
    ['Pay 1000', '10000'],
    ['Pay 1000', '1e3'],
    ['Account DE89 3704 0044 0532 0130 00', 'DE02 1203 0000 0000 2020 51'],
    ['all of it', '*'],
    ['all of it', 'everyone'],
    ['The order a4711', '4711'],
    ['', 'x'],
    ['Delete order 1000', '../../1000'],
    ['Delete order 1000', '1000/..'],
    ['Delete /home/bob/tmp/', '/home/bob/tmp/..'],
    ['Pay 1000', '\u22121000'],
    ['Pay 1000', '1000*1000'],
    ['Pay 1000 yen', '€1000'],
    ['Pay $12,345.67', '123 4567'],
    ['Ping 192.168.1.1', '192.16.81.1'],
    ['Send it to bob@shop.example', 'bob@shop.example\u200b'],
    ['Send it to bob@shop.example', '\u202ebob@shop.example'],
    ['all of it', 'everyone , , , , , , , , ,'],
    ['all of it', 'everyone, all, of, it, all, of, it, all, of, it'],
    ['Send it to bob@shop.example', 'everyone;bob@shop.example'],
  ])('%j: not %j', (text, value) => {
    expect(covers(text, value)).toBe(false);
  });

  it('the values in a text of more than eight words, and needs them all', () => {
    const long = (to: string): string =>
      `Dear team, as we agreed last week please write to ${to} today, thank you`;
    expect(covers('Write to bob@shop.example', long('bob@shop.example'))).toBe(true);
    expect(covers('Write to bob@shop.example', long('eve@shop.example'))).toBe(false);
    expect(covers('Write to bob@shop.example', long('bob@shop.example or eve@shop.example'))).toBe(false);
    expect(covers('Write to bob@shop.example', long('https://evil.example/?x'))).toBe(false);
    expect(covers('Pay 100', long('the 100'))).toBe(true);
    expect(covers('Pay 100', long('the 900'))).toBe(false);
  });

  it.each([
    'eve@evil.md',
    'eve!@evil.example',
    '"eve"@evil.example',
    'eve@localhost',
    'eve@ev\u00adil.example',
    'bob@shop.xn--evil1',
    '../../etc/shadow',
    '\\\\evil\\share',
    '-rf ~',
    'javascript:alert',
    'aGVsbG8gd29ybGQ=',
    '5k',
    '5e3',
    '٩٠٠',
    'EUR900',
    '€5',
  ])('no unusual word in a text of more than eight words: %j', (value) => {
    const text = `please do this for ${value} and then all that once more, thanks`;
    expect(covers('Send all 5 to bob@shop.xn--p1ai or bob@shop.example', text)).toBe(false);
  });

  it('a number by its value', () => {
    expect(marksOf('Pay 1.000,50').has(markOfNumber(1000.5))).toBe(true);
    expect(marksOf('Pay 1.000').has(markOfNumber(1))).toBe(true);
    expect(marksOf('Pay 1.000').has(markOfNumber(1000))).toBe(true);
    expect(marksOf('Pay 5').has(markOfNumber(-5))).toBe(false);
    expect(marksOf('给小明转账500元').has(markOfNumber(500))).toBe(true);
  });

  it('no text that is longer than what is compared', () => {
    const long = 'a '.repeat(40_000);
    expect(covers(long, long)).toBe(false);
  });

  it('long texts in linear time', () => {
    for (const unit of ['1 ', '1.', 'a.', 'a@', '(', '"', 'a://', 'DE89', ' ', '1'])
      expect(marksOf(unit.repeat(50_000 / unit.length)).size).toBeLessThan(500_000);
  });
});
