import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../support/markdown.js';
import type { Workshop } from './workshop.js';

/** The guides whose code is called by a program in `programs`, with a fake model. */
const GUIDES = ['ai-sdk', 'langchain', 'openai-agents', 'mcp', 'engine'];

/** Creates the hosts of the guides, before the workshop compiles. */
export function followAdapterGuides(workshop: Workshop): void {
  for (const name of GUIDES) workshop.followGuide(`docs/guides/${name}.md`, name);
}

export function adapterGuidesWork(workshop: () => Workshop): void {
  /** Nest logs before the last line. */
  const run = async (name: string): Promise<unknown> => {
    const output = await workshop().node([join(ROOT, `test/recipes/programs/${name}.mjs`)]);
    return JSON.parse(output.trim().split('\n').at(-1) ?? '');
  };
  const REFUSED = expect.stringMatching(/cannot|refused|not able/i);
  const SANITIZED = 'Write to [email].';

  it('the code of the guide to the AI SDK streams, parks, resumes and continues a chat', async () => {
    expect(await run('ai-sdk')).toEqual({
      streamed: SANITIZED,
      refused: REFUSED,
      resumed: 'It is paid.',
      resumedWith: true,
      waiting: '',
      answered: 'Write to jane@example.com.',
      continuedWith: true,
      refunds: ['A-1182', 'A-1182'],
    });
  });

  it('the code of the guide to LangChain answers, parks, and resumes an interrupted graph', async () => {
    expect(await run('langchain')).toEqual({
      answered: SANITIZED,
      refused: REFUSED,
      continuedWith: true,
      interrupted: 'parked',
      resumed: 'Write to jane@example.com.',
      resumedWith: true,
      refunds: ['A-1182', 'A-1182'],
    });
  });

  it('the code of the guide to OpenAI Agents answers, parks, and resumes an interrupted run', async () => {
    expect(await run('openai-agents')).toEqual({
      answered: SANITIZED,
      refused: REFUSED,
      resumed: 'Write to jane@example.com.',
      resumedWith: true,
      interrupted: ['stored'],
      continued: ['answer'],
      continuedWith: true,
      refunds: ['A-1182', 'A-1182'],
    });
  });

  it('the code of the guide to MCP serves a tool, and refuses one that is not pinned', async () => {
    expect(await run('mcp')).toMatchObject({
      listed: { refund: ['order'], call_outcome: ['approvalId'] },
      before: [{ text: 'There is no outcome yet. Ask again later.' }],
      after: [{ text: expect.stringContaining('Paid A-1182 back.') }],
      warnings: [expect.stringMatching(/refund is refused: its definition changed.*sha256:[0-9a-f]{64}/)],
      isRefused: expect.stringContaining('"refund" is refused'),
      refunds: [],
    });
  });

  it('the code of the guide to @rekog/mcp-nest serves the tools of a controller', async () => {
    expect(await run('mcp-nest')).toEqual({
      listed: { refund: ['order'], call_outcome: ['approvalId'] },
      paid: 'Paid A-1182 back.',
      refused: expect.stringContaining('order'),
      refunds: ['A-1182'],
    });
  });

  it('the code of the guide to plain Node screens, parks, approves and streams', async () => {
    const [refusal, result, shown] = (await run('engine')) as string[];
    expect(refusal).toEqual(REFUSED);
    expect(result).toContain('Paid A-1182 back.');
    expect(shown).toBe('Mail [email] for <b>help</b>.');
  });
}
