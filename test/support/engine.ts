import { DecisionMade, EventPublisher, type GuardrailsEvent } from '../../libs/contracts/src/events.js';
import type { Tool } from '../../libs/contracts/src/firewall.js';
import { readSettingsInput } from '../../libs/contracts/src/settings/settings-input.js';
import { DEFAULT_SETTINGS } from '../../libs/contracts/src/settings/settings.js';
import type { SettingValues } from '../../libs/contracts/src/settings/settings.schema.js';
import type { StoreBackend } from '../../libs/contracts/src/store-backend.js';
import { createEngine } from '../../libs/engine/src/create-engine.js';
import type { Engine, EngineOptions } from '../../libs/engine/src/engine.js';
import { memoryStores } from '../../libs/stores/memory/src/memory-stores.js';

export const TOKEN_SECRET = 'a-token-secret-of-thirty-two-bytes!';

/** Keeps published events in order. */
export class EventLog extends EventPublisher {
  readonly events: GuardrailsEvent[] = [];

  override publish(event: GuardrailsEvent): void {
    this.events.push(event);
  }

  /** The names of decision events. */
  get decisions(): readonly string[] {
    return this.events.filter((event) => event instanceof DecisionMade).map(({ name }) => name);
  }

  get names(): readonly string[] {
    return this.events.map(({ name }) => name);
  }
}

export interface Bench {
  readonly engine: Engine;
  readonly stores: StoreBackend;
  readonly log: EventLog;
}

export function configured(settings: Readonly<Record<string, unknown>>): SettingValues {
  const { values, unknown, invalid } = readSettingsInput(settings, true);
  const wrong = [...Object.keys(unknown), ...Object.keys(invalid)];
  if (wrong.length > 0) throw new Error(`not settings: ${wrong.join(', ')}`);
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(values) };
}

/** A started engine over memory stores. */
export async function bench(
  settings: Readonly<Record<string, unknown>> = {},
  options: Partial<EngineOptions> = {},
): Promise<Bench> {
  const stores = options.stores ?? memoryStores();
  const log = new EventLog();
  await stores.open();
  const values = configured({ 'hitl.token_secret': TOKEN_SECRET, ...settings });
  const engine = createEngine({ publisher: log, ...options, stores, configured: values });
  await engine.start();
  return { engine, stores, log };
}

/** A tool that keeps its arguments. */
export function refundTool(overrides: Partial<Tool> = {}): Tool & { readonly calls: unknown[] } {
  const calls: unknown[] = [];
  return {
    name: 'refund',
    description: 'Pays an order back.',
    parameters: {
      type: 'object',
      properties: { order: { type: 'string' }, customer_id: { type: 'string' }, amount: { type: 'number' } },
      required: ['order'],
    },
    execute: (args) => {
      calls.push(args);
      return { refunded: args['order'] };
    },
    ...overrides,
    calls,
  };
}
