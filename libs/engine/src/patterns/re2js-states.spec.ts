import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { RE2JS } from 're2js';
import { ANCHORED, END, LazyStates, type State, UNANCHORED } from './re2js-states.js';

/** The version for which this file was checked. After an upgrade, compare what is private before changing it. */
const CHECKED = '2.10.0';

const packageOf = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;

/** Whether a match ends in the text, and after how many characters no match is possible any more. */
function run(pattern: string, text: string, anchor = UNANCHORED, from = 0): { matches: boolean; dead: number | null } {
  const states = new LazyStates(RE2JS.compile(pattern));
  const progress = { resetPos: -1 };
  let state = states.begin(text, from) as State;
  let [matches, dead]: [boolean, number | null] = [state.isMatch, null];
  for (let at = from; at <= text.length; at++) {
    state = states.step(state, at < text.length ? text.charCodeAt(at) : END, anchor, at, progress) as State;
    if (state.isMatch) matches = true;
    if (state.nfaStates.length === 0) dead ??= at - from + 1;
  }
  return { matches, dead };
} // prettier-ignore

describe('the private part of re2js', () => {
  it('is used of one version only, which is pinned and installed', () => {
    const root = packageOf(join(import.meta.dirname, '../../../../package.json'));
    expect((root['dependencies'] as Record<string, string>)['re2js']).toBe(CHECKED);
    const entry = createRequire(import.meta.url).resolve('re2js');
    const folder = entry.slice(0, entry.lastIndexOf('re2js') + 're2js'.length);
    expect(packageOf(join(folder.replace(/re2js\/build\/.*$/, 're2js'), 'package.json'))['version']).toBe(CHECKED);
  }); // prettier-ignore

  it('has the members that are used, each of its kind', () => {
    const { dfa } = RE2JS.compile('a[bc]+').re2();
    expect(dfa.latin1Class).toHaveLength(256);
    expect(dfa.startStates).toBeInstanceOf(Map);
    expect(typeof dfa.prog.start).toBe('number');
    for (const name of ['numClasses', 'stateBudget', 'memBudget'] as const) expect(typeof dfa[name]).toBe('number');
    for (const name of ['searchClass', 'makeState', 'clearCache', 'stepOrReset'] as const) expect(typeof dfa[name]).toBe('function');
    expect(dfa.stepOrReset.length).toBe(6);
    const state = new LazyStates(RE2JS.compile('a[bc]+')).begin('abc', 0);
    expect(Object.keys(state ?? {})).toEqual(expect.arrayContaining(['isMatch', 'nfaStates', 'next', 'nextAnchored']));
  }); // prettier-ignore

  it('finds a match at any place, and anchored only one that has begun', () => {
    expect(run('b+c', 'aabbcd').matches).toBe(true);
    expect(run('b+c', 'aabb').matches).toBe(false);
    expect(run('b+c', 'bbc', ANCHORED).matches).toBe(true);
    expect(run('b+c', 'abc', ANCHORED)).toEqual({ matches: false, dead: 1 });
    expect(run('[\\x{3b1}-\\x{3c9}]b', 'aαb').matches).toBe(true);
  });

  it('knows the flags of the context before a place, and the end of the text', () => {
    expect(run('\\Ab', 'ab', ANCHORED, 1).matches).toBe(false);
    expect(run('\\Ab', 'b', ANCHORED).matches).toBe(true);
    expect(run('(?m:^)b', '\nb', ANCHORED, 1).matches).toBe(true);
    expect(run('(?m:^)b', ' b', ANCHORED, 1).matches).toBe(false);
    expect(run('\\bb', ' b', ANCHORED, 1).matches).toBe(true);
    expect(run('\\bb', 'ab', ANCHORED, 1).matches).toBe(false);
    expect(run('b\\z', 'ab').matches).toBe(true);
    expect(run('b\\z', 'abc').matches).toBe(false);
  });
});
