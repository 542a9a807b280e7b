import { describe, expect, it } from '@jest/globals';
import { ProgressBar } from './progress-bar.js';
import { Terminal } from './terminal.js';

function drawn(isTTY: boolean): { readonly bar: ProgressBar; readonly text: () => string } {
  let text = '';
  const stream = { isTTY, write: (given: string) => ((text += given), true), on: () => stream };
  const terminal = new Terminal(stream as never, stream as never);
  return { bar: new ProgressBar(terminal, 'erasing'), text: () => text };
}

describe('the progress bar', () => {
  it('shows a share of the whole on one line, and leaves it empty', () => {
    const { bar, text } = drawn(true);
    bar.show(250, 1_000);
    expect(text()).toBe(`\r\u001B[2Kerasing ${'█'.repeat(8)}${'░'.repeat(22)} 25 % (250 of 1000)`);
    bar.end();
    expect(text().endsWith('\r\u001B[2K')).toBe(true);
  });

  it('draws a few times a second at most, and never beyond the whole', () => {
    const { bar, text } = drawn(true);
    for (let done = 0; done < 1_000; done++) bar.show(3, 2);
    expect(text().match(/erasing/g)?.length).toBe(1);
    expect(text()).toContain('100 %');
  });

  it('is silent where nobody watches', () => {
    const { bar, text } = drawn(false);
    bar.show(1, 2);
    bar.end();
    expect(text()).toBe('');
  });
});
