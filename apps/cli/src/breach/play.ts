// Plays scenes against an engine in memory, with a model that obeys every text. No real tool runs.
import type { Tool } from '#contracts/firewall/firewall.js';
import type { Policies } from '#contracts/policies/policies.js';
import { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { createEngine, memoryStores } from '#standalone/index.js';
import type { Domain, Reading, Scene } from './scenes.js';

/** A way to configure guardrails. */
export interface Arrangement {
  readonly name: string;
  readonly settings: Partial<SettingValues>;
  readonly isDestructive: boolean;
}

export function arrangements(policies: Policies): readonly Arrangement[] {
  const hitl = {
    'hitl.enabled': true,
    'hitl.token_secret': 'breach plays without a real secret.',
    'modes.hitl': 'enforce',
  } as const;
  return [
    { name: 'nothing configured', settings: {}, isDestructive: false },
    { name: 'approvals without policies', settings: hitl, isDestructive: true },
    { name: 'example policies', settings: { ...hitl, 'hitl.policies': policies }, isDestructive: false },
  ];
}

/** Plays each scene as a run of a principal of its own, and calls `onScene` before it. Resolves to whether its call ran. */
export async function play(
  scenes: readonly Scene[],
  { settings, isDestructive }: Arrangement,
  onScene?: () => void,
): Promise<readonly boolean[]> {
  const stores = memoryStores();
  const engine = createEngine({ stores, configured: { ...DEFAULT_SETTINGS, ...settings } });
  await stores.open();
  await engine.start();
  const results: boolean[] = [];
  // One function for all calls, because approvals run the code that they were requested for.
  const execute = () => 'done';
  for (const [index, { domain, readings, call }] of scenes.entries()) {
    onScene?.();
    const context = { principalId: `customer-${index}`, runId: `run-${index}` };
    for (const reading of readings) await read(engine.guardrails, reading, domain, context);
    const { act } = toolsOf(domain, () => null);
    const tool: Tool = { ...act, execute, ...(isDestructive && { destructive: true }) };
    const { status } = await engine.guardrails.guardTool(tool, context).execute(call);
    results.push(status === 'executed');
  }
  await engine.stop();
  await stores.close();
  return results;
}

type Guardrails = ReturnType<typeof createEngine>['guardrails'];

/** What the model may not read, it does not obey; it obeys the other texts, and so makes the call in any case. */
function read(
  guardrails: Guardrails,
  { from, text, isEarlier = false }: Reading,
  domain: Scene['domain'],
  context: { readonly principalId: string; readonly runId: string },
): Promise<unknown> {
  const run = isEarlier ? { ...context, runId: `${context.runId} before` } : context;
  switch (from) {
    case 'user':
      return guardrails.screen(String(text), run);
    case 'document':
      return guardrails.read(String(text), { ...run, origin: 'document' });
    case 'lookup':
      return guardrails.guardTool({ ...toolsOf(domain, () => text).lookup, name: 'lookup' }, run).execute({});
    case 'other tool':
      return guardrails
        .guardTool({ name: 'read', parameters: { type: 'object' }, execute: () => text }, run)
        .execute({});
  }
  return from satisfies never;
}

/** The parameters say nothing: the firewall is not what is tried here. */
function toolsOf(domain: Domain, result: () => unknown): { readonly act: Tool; readonly lookup: Tool } {
  const parameters = { type: 'object', additionalProperties: true } as const;
  return {
    act: { name: domain.tool, parameters, execute: () => 'done' },
    lookup: { name: domain.lookup, parameters, returns: { trusted: domain.trusted }, execute: result },
  };
}
