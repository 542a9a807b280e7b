import { z } from 'zod';
import type { Tool } from '#contracts/firewall/firewall.js';
import type { McpResult } from '#adapters/mcp/index.js';
import { refundTool } from '../support/engine.js';
import type { Shown } from './adapter.suite.js';

export const REFUND = z.object({
  order: z.string(),
  customer_id: z.string().optional(),
  amount: z.number().optional(),
});

const pictures = new WeakSet<Tool>();

/** For the suite. */
export function picturing(text: string, base64: string): Tool {
  const content = [
    { type: 'text', text },
    { type: 'image', data: base64, mimeType: 'image/png' },
  ];
  const tool = refundTool({ execute: () => ({ content }) });
  pictures.add(tool);
  return tool;
}

const handlers = new WeakMap<Tool, (args: unknown) => Promise<McpResult>>();

/** Built once for each tool, as a host declares its handlers. */
export function handlerOf(tool: Tool): (args: unknown) => Promise<McpResult> {
  const known = handlers.get(tool);
  if (known !== undefined) return known;
  const handler = async (args: unknown): Promise<McpResult> => {
    const result = await tool.execute(args as never, undefined as never);
    if (pictures.has(tool)) return result as McpResult;
    return typeof result === 'object'
      ? { content: [], structuredContent: result as Record<string, unknown> }
      : { content: [{ type: 'text', text: JSON.stringify(result) }] };
  };
  handlers.set(tool, handler);
  return handler;
}

/** What the client gets, in the form of the suite. */
export function shownOf(result: McpResult): Shown {
  const { _meta = {}, isError, structuredContent } = result;
  const message = String(result.content[0]?.['text']);
  for (const kind of ['refused', 'parked'] as const) {
    const outcome = _meta[`nest-guardrails/${kind}`] as object | undefined;
    if (outcome !== undefined) return { kind, ...outcome } as Shown;
  }
  return isError === true ? { kind: 'error', message } : { kind: 'result', value: structuredContent };
}
