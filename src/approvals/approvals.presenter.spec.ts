import { describe, expect, it } from '@jest/globals';
import { ago, ahead, changesBetween } from './approvals.presenter.js';

const now = new Date('2026-03-31T12:00:00.000Z');
const shifted = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);

describe('contract 5: relative times in English', () => {
  it.each([
    [-5, 'just now'],
    [0, 'just now'],
    [9, 'just now'],
    [59, '59 seconds ago'],
    [60, '1 minute ago'],
    [120, '2 minutes ago'],
    [3599, '1 hour ago'],
    [2 * 3600, '2 hours ago'],
    [25 * 3600, '1 day ago'],
    [400 * 86_400, '400 days ago'],
  ])('%d seconds ago is %p', (seconds, words) => {
    expect(ago(shifted(-seconds), now)).toBe(words);
  });

  it.each([
    [-1, 'now'],
    [0, 'now'],
    [1, 'in 1 second'],
    [59 * 60 + 59, 'in 1 hour'],
    [2 * 3600, 'in 2 hours'],
    [7 * 86_400, 'in 7 days'],
  ])('%d seconds ahead is %p', (seconds, words) => {
    expect(ahead(shifted(seconds), now)).toBe(words);
  });
});

describe('changes between arguments', () => {
  it('are listed by JSON pointer, with null for a missing argument', () => {
    expect(
      changesBetween({ a: 1, b: { 'c/d': [1] }, gone: true }, { a: 1, b: { 'c/d': [2] }, new: null }),
    ).toEqual([
      { path: '/b/c~1d', from: [1], to: [2] },
      { path: '/gone', from: true, to: null },
      { path: '/new', from: null, to: null },
    ]);
  });
});
