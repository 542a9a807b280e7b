import { describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { Detector } from '#contracts/output/output.js';
import { bench, entriesOf, type Bench } from '../support/engine.js';

const CALLER = { principalId: 'customer-42', application: 'support-chat' };
const OUTPUT =
  'Write to jane@example.com.\n\n<img src=x onerror=alert(1)> ![x](https://a.example/?q=1)\n\n' +
  'All the rest is harmless prose that goes on for a while. '.repeat(60);

function chunksOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

function source(chunks: readonly string[]): ReadableStream<string> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function readAll(stream: ReadableStream<string>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

/** The records of the decisions, without the fields that differ between calls. */
async function left({ engine, stores, log }: Bench): Promise<unknown> {
  await engine.stop();
  const whole = await entriesOf(stores, { control: 'output_handler' });
  const stats = await stores.output.stats({ from: new Date(0), to: new Date('9999-01-01') });
  return {
    evidence: whole.map(({ outcome, mode, origin, principalId, promptLength, errored, rendering }) => ({
      outcome,
      mode,
      origin,
      principalId,
      promptLength,
      errored,
      rendering,
    })),
    stats,
    events: log.names,
  };
}

describe('an output stream', () => {
  it.each(['enforce', 'monitor', 'off'])('records and shows the same as the whole text: %s', async (mode) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (size) => {
        const settings = { 'modes.output_handler': mode };
        const [whole, parted] = [await bench(settings), await bench(settings)];
        const { text } = await whole.engine.guardrails.sanitize(OUTPUT, CALLER);
        const stream = source(chunksOf(OUTPUT, size)).pipeThrough(
          parted.engine.guardrails.sanitizeStream(CALLER),
        );
        expect(await readAll(stream)).toBe(text);
        expect(await left(parted)).toEqual(await left(whole));
      }),
      { numRuns: 4 },
    );
  });

  it.each([
    ['enforce', 'Write to [email].\n\n', 'Write to jane@example.com.\n\n', 'blocked'],
    ['monitor', OUTPUT.slice(0, 40), OUTPUT.slice(0, 40), 'observed'],
  ])('records the released part if the reader cancels: %s', async (mode, shown, judged, outcome) => {
    const setup = await bench({ 'modes.output_handler': mode, 'audit_hygiene.prompt_storage': 'raw' });
    const stream = setup.engine.guardrails.sanitizeStream(CALLER);
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    void writer.write(OUTPUT.slice(0, 40)).catch(() => undefined);
    expect((await reader.read()).value).toBe(shown);
    await reader.cancel('gone');
    expect(await left(setup)).toMatchObject({
      evidence: [{ outcome, promptLength: judged.length }],
      stats: [...(mode === 'enforce' ? [] : [{ detector: 'html' }]), { detector: 'email', count: 1 }],
      events: ['guardrails.output.sanitized'],
    });
  });

  it.each([
    [{}, {}, 'markdown', '&lt;i x>`<i x>`'],
    [{ 'output_handler.rendering': 'any' }, {}, 'any', '&lt;i x>`&lt;i x>`'],
    [{ 'output_handler.rendering': 'any' }, { rendering: 'text' as const }, 'text', '<i x>`<i x>`'],
  ])(
    'is recorded with its rendering, configured %j, requested %j',
    async (settings, context, rendering, text) => {
      const setup = await bench({ ...settings, 'output_handler.html_mode': 'escape' });
      const { guardrails } = setup.engine;
      const output = '<i x>`<i x>`';
      expect((await guardrails.sanitize(output, context)).text).toBe(text);
      expect(await readAll(source([output]).pipeThrough(guardrails.sanitizeStream(context)))).toBe(text);
      expect((await guardrails.sanitizeStructured({ a: output }, null, context)).value).toEqual({ a: text });
      expect(await left(setup)).toMatchObject({ evidence: [{ rendering }, { rendering }, { rendering }] });
    },
  );

  it('is recorded once if the writer aborts', async () => {
    const setup = await bench();
    const stream = setup.engine.guardrails.sanitizeStream(CALLER);
    const writer = stream.writable.getWriter();
    const reading = readAll(stream.readable).catch((error: unknown) => error);
    await writer.write('One paragraph.\n\nAndmore');
    await writer.abort(new Error('the model failed'));
    expect(await reading).toBeInstanceOf(Error);
    expect(await left(setup)).toMatchObject({
      evidence: [{ outcome: 'allowed', promptLength: 'One paragraph.\n\n'.length }],
      events: ['guardrails.output.clean'],
    });
  });

  class Failing extends Detector {
    override readonly name = 'failing';
    override readonly kind = 'pii_redaction';
    override find(text: string): never[] {
      if (text.includes('harmless')) throw new Error('no');
      return [];
    }
  }

  it('is withheld if a detector fails, passes in monitor, and records both as errors', async () => {
    for (const mode of ['enforce', 'monitor']) {
      const setup = await bench({ 'modes.output_handler': mode }, { detectors: [new Failing()] });
      const outcomes = [
        (await setup.engine.guardrails.sanitize(OUTPUT, CALLER)).text,
        await readAll(source([OUTPUT]).pipeThrough(setup.engine.guardrails.sanitizeStream(CALLER))).catch(
          String,
        ),
      ];
      expect(outcomes).toEqual(Array(2).fill(mode === 'enforce' ? '[output withheld]' : OUTPUT));
      const outcome = mode === 'enforce' ? 'blocked' : 'observed';
      expect(await left(setup)).toMatchObject({
        evidence: [
          { outcome, errored: true },
          { outcome, errored: true },
        ],
        events: ['guardrails.output.sanitized', 'guardrails.output.sanitized'],
      });
    }
  });

  it('fails without its last part if a required record cannot be written', async () => {
    const setup = await bench();
    await setup.stores.close();
    setup.stores.audit.append = () => Promise.reject(new Error('away'));
    const stream = source(['One paragraph.\n\nLast.']).pipeThrough(
      setup.engine.guardrails.sanitizeStream(CALLER),
    );
    const reader = stream.getReader();
    expect((await reader.read()).value).toBe('One paragraph.\n\n');
    await expect(reader.read()).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

/** Counts the turns of other work while the call runs. */
async function turnsDuring(call: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const turn = (): void => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await call();
  clearImmediate(next);
  return turns;
}

describe('an output of half a megabyte', () => {
  const texts = ['123-45-', 'a@b.co ', 'Your order left our warehouse this morning.\n\n'].map((unit) =>
    unit.repeat(Math.ceil(500_000 / unit.length)),
  );

  it.each(texts)('lets other work run meanwhile: %.10s', async (text) => {
    const { engine } = await bench({ 'output_handler.max_length': 1_000_000 });
    const { guardrails, sandbox } = engine;
    const calls = [
      () => guardrails.sanitize(text, CALLER),
      () => readAll(source([text]).pipeThrough(guardrails.sanitizeStream(CALLER))),
      () => guardrails.sanitizeStructured({ parts: [text] }, null, CALLER),
      () => sandbox.sanitize(text),
    ];
    for (const call of calls) expect(await turnsDuring(call)).toBeGreaterThan(3);
  });

  it('lets other work run between short chunks of a stream, whose time counts together', async () => {
    const { engine } = await bench();
    const { writable, readable } = engine.guardrails.sanitizeStream(CALLER);
    const reading = readAll(readable);
    const writer = writable.getWriter();
    let time = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (time += 0.1));
    const writing = async (): Promise<void> => {
      for (const chunk of chunksOf(OUTPUT.repeat(40), 200)) await writer.write(chunk);
    };
    expect(await turnsDuring(writing)).toBeGreaterThan(8);
    clock.mockRestore();
    await writer.close();
    await reading;
  });

  it('is sanitized for the reader and the record, if the reader cancels in the middle of a chunk', async () => {
    const setup = await bench({ 'output_handler.max_length': 1_000_000 });
    const { writable, readable } = setup.engine.guardrails.sanitizeStream(CALLER);
    const writer = writable.getWriter();
    const writing = writer.write(texts[1] ?? '').catch(() => undefined);
    const reader = readable.getReader();
    void reader.read();
    await new Promise(setImmediate);
    await reader.cancel();
    await writing;
    expect(await left(setup)).toMatchObject({ evidence: [{ outcome: 'blocked' }] });
  });
});

describe('an output that is longer than output_handler.max_length', () => {
  const NOTICE = '[output withheld]';
  const LIMIT = 5000;
  const text = 'Write to jane@example.com today.\n\n'.repeat(200);
  const start = (mode: string) => bench({ 'modes.output_handler': mode, 'output_handler.max_length': LIMIT });

  it('is withheld as a whole, and its record keeps the beginning', async () => {
    const setup = await start('enforce');
    const result = await setup.engine.guardrails.sanitize(text, CALLER);
    expect(result).toMatchObject({
      text: NOTICE,
      outcome: 'blocked',
      findings: [{ kind: 'too_long', detector: 'length', span: [0, text.length] }],
    });
    const entry = await setup.stores.audit.find(result.auditId ?? 0);
    expect(entry).toMatchObject({ promptLength: text.length, findings: [{ kind: 'too_long' }] });
    expect(entry?.prompt).toMatch(/^Write to \[email\] today\./);
    expect((await setup.engine.sandbox.sanitize(text)).sanitized).toBe(NOTICE);
    const limit = text.slice(0, LIMIT);
    expect((await setup.engine.guardrails.sanitize(limit, CALLER)).findings[0]?.kind).toBe('pii_redaction');
    expect(await left(setup)).toMatchObject({
      stats: expect.arrayContaining([{ kind: 'too_long', detector: 'length', enforced: true, count: 1 }]),
    });
  });

  it('keeps the released part of a stream at every split, and replaces the rest', async () => {
    const whole = 'Write to [email] today.\n\n'.repeat(Math.floor(LIMIT / 34));
    for (const size of [1, 7, 999, LIMIT, text.length]) {
      const { engine } = await start('enforce');
      const shown = await readAll(
        source(chunksOf(text, size)).pipeThrough(engine.guardrails.sanitizeStream(CALLER)),
      );
      expect(shown).toBe(`${whole.slice(0, shown.length - NOTICE.length - 2)}\n\n${NOTICE}`);
      expect(shown.length).toBeGreaterThan(3000);
    }
  });

  it('passes and is recorded in monitor', async () => {
    const setup = await start('monitor');
    expect((await setup.engine.guardrails.sanitize(text, CALLER)).text).toBe(text);
    const stream = setup.engine.guardrails.sanitizeStream(CALLER);
    expect(await readAll(source(chunksOf(text, 600)).pipeThrough(stream))).toBe(text);
    expect(await left(setup)).toMatchObject({
      evidence: [{ outcome: 'observed' }, { outcome: 'observed' }],
      stats: expect.arrayContaining([{ kind: 'too_long', detector: 'length', enforced: false, count: 2 }]),
    });
  });

  it('is withheld as a whole if it is a structure whose texts are longer together', async () => {
    const setup = await start('enforce');
    const half = text.slice(0, LIMIT / 2);
    const value = { a: [half], ab: half.slice(3) };
    expect(await setup.engine.guardrails.sanitizeStructured(value, null, CALLER)).toMatchObject({
      value: { a: [expect.stringContaining('[email]')], ab: expect.any(String) },
    });
    const longer = { ...value, b: null };
    const result = await setup.engine.guardrails.sanitizeStructured(longer, { type: 'array' }, CALLER);
    expect(result).toMatchObject({
      value: null,
      outcome: 'blocked',
      findings: [{ kind: 'too_long', detector: 'length', span: [0, LIMIT + 1], path: '(value)' }],
      violations: {},
    });
    const entry = await setup.stores.audit.find(result.auditId ?? 0);
    expect(entry).toMatchObject({
      promptLength: JSON.stringify(longer).length,
      findings: [{ kind: 'too_long' }],
    });
    expect(entry?.prompt).toMatch(/^\{"a":\["Write to \[email\] today\./);
  });

  it('passes as a structure in monitor, and is recorded', async () => {
    const setup = await start('monitor');
    const value = { a: text };
    const result = await setup.engine.guardrails.sanitizeStructured(value, null, CALLER);
    expect(result).toMatchObject({ value, outcome: 'observed', findings: [{ kind: 'too_long' }] });
    expect(await left(setup)).toMatchObject({
      evidence: [{ outcome: 'observed' }],
      stats: expect.arrayContaining([{ kind: 'too_long', detector: 'length', enforced: false, count: 1 }]),
    });
  });
});
