import { describe, expect, it } from '@jest/globals';
import { ProgressBar, Terminal } from './terminal.js';

function createBar(isTTY: boolean): { readonly bar: ProgressBar; readonly printed: () => string } {
  let text = '';
  const stream = { isTTY, write: (part: string) => ((text += part), true), on: () => stream };
  const terminal = new Terminal(stream as never, stream as never);
  return { bar: new ProgressBar(terminal, 'erasing'), printed: () => text };
}

describe('ProgressBar', () => {
  it('draws the share on one line and clears the line at the end', () => {
    const { bar, printed } = createBar(true);
    bar.show(250, 1_000);
    expect(printed()).toBe(`\r\u001B[2Kerasing ${'█'.repeat(8)}${'░'.repeat(22)} 25 % (250 of 1000)`);
    bar.end();
    expect(printed().endsWith('\r\u001B[2K')).toBe(true);
  });

  it('limits redraws and never shows more than 100 %', () => {
    const { bar, printed } = createBar(true);
    for (let done = 0; done < 1_000; done++) bar.show(3, 2);
    expect(printed().match(/erasing/g)?.length).toBe(1);
    expect(printed()).toContain('100 %');
  });

  it('prints nothing if standard error is not a terminal', () => {
    const { bar, printed } = createBar(false);
    bar.show(1, 2);
    bar.end();
    expect(printed()).toBe('');
  });
});
