import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FirstFill } from './first-fill.js';

describe('a first filling', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'first-fill-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('that was cut short in one database says nothing about another', () => {
    const embedded = FirstFill.of(join(folder, 'postgres'));
    const external = FirstFill.of(join(folder, 'database'), 'postgres://localhost/one');
    external.begin();
    expect(external.isUnderWay).toBe(true);
    expect(embedded.isUnderWay).toBe(false);
    expect(FirstFill.of(join(folder, 'database'), 'postgres://localhost/two').isUnderWay).toBe(false);
    expect(FirstFill.of(join(folder, 'database'), 'postgres://localhost/one').isUnderWay).toBe(true);
    external.end();
    expect(external.isUnderWay).toBe(false);
  });
});
