import type { AuditFilter } from '#contracts/audit/filter.js';
import type { AuditEntry } from '#contracts/audit/record.js';
import { DecisionMade } from '#contracts/events/decision-events.js';
import { EventPublisher, type GuardrailsEvent } from '#contracts/events/guardrails-event.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import { readSettingsInput } from '#contracts/settings/settings-input.js';
import { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { createEngine } from '#engine/create-engine.js';
import type { Engine } from '#engine/create-engine.js';
import type { EngineOptions } from '#engine/start/engine-options.js';
import { memoryStores } from '#stores/memory/memory-stores.js';

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
  const { values, unknown, invalid } = readSettingsInput(settings, 'configuration');
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

/** The whole entries of the audit, the newest first. */
export async function entriesOf(
  { audit }: Pick<StoreBackend, 'audit'>,
  query: AuditFilter = {},
  limit = 1000,
): Promise<readonly AuditEntry[]> {
  const { entries } = await audit.list(query, { limit });
  const whole = await Promise.all(entries.map(({ id }) => audit.find(id)));
  return whole.flatMap((entry) => entry ?? []);
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
