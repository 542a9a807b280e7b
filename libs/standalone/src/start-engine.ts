import { SystemClock } from '#contracts/common/clock.js';
import { ConfigurationError, GuardrailsError } from '#contracts/common/errors.js';
import { UNGUARDED } from '#contracts/settings/settings.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import type { ProgressReport, StoreBackend } from '#contracts/stores/store-backend.js';
import type { Engine } from '#engine/create-engine.js';
import type { EngineOptions } from '#engine/start/engine-options.js';
import { Diagnostics } from '#engine/shared/ports.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { configuredSettings, type GivenSettings } from './configured-settings.js';
import { PeriodicTasks } from './periodic-tasks.js';

/** The options of `startEngine`. */
export interface StartOptions extends Omit<EngineOptions, 'configured' | 'stores'> {
  /** Default: in memory, which loses everything at the end of the process. They are opened, and closed by `stop`. */
  readonly stores?: EngineOptions['stores'];
  /**
   * Any setting, dotted or nested: `{ hitl: { enabled: true } }`. Others are read from `GUARDRAILS_…` environment
   * variables; all others have their default.
   */
  readonly settings?: GivenSettings;
}

/** An engine that `startEngine` started. */
export interface RunningEngine extends Pick<Engine, 'guardrails' | 'approvals'> {
  readonly engine: Engine;
  /** Resolves when calls in progress have ended, the queue is stored, and the stores are closed. */
  stop(): Promise<void>;
}

/**
 * Opens the stores, starts an engine over them, and runs its periodic tasks, as the Nest module does.
 *
 * @throws ConfigurationError with every reason why the settings cannot be used, or because the stores cannot be opened
 */
export async function startEngine({ settings, ...options }: StartOptions = {}): Promise<RunningEngine> {
  const { createEngine, unusableSettings } = await import('#engine/index.js');
  const { clock = new SystemClock(), diagnostics = new ConsoleDiagnostics() } = options;
  const stores = options.stores ?? memoryStores({ clock });
  const { values, reasons, warnings } = configuredSettings([['settings', settings]], process.env, stores, {
    'tool_authorization.enabled': options.authorizer != null,
  });
  const unusable = unusableSettings(values, options);
  if (reasons.length + unusable.length > 0) throw new ConfigurationError([...reasons, ...unusable]);
  for (const warning of [...warnings, ...(values.enabled ? [] : [UNGUARDED])]) diagnostics.warn(warning);
  const engine = createEngine({ ...options, stores, clock, diagnostics, configured: values });
  const tasks = new PeriodicTasks(engine, (message, error) =>
    diagnostics.warn(message, { error: String(error) }),
  );
  await openStores(stores, values, (line) => diagnostics.warn(line));
  try {
    await engine.start();
  } catch (error) {
    await stores.close();
    throw error;
  }
  tasks.start();
  return {
    engine,
    guardrails: engine.guardrails,
    approvals: engine.approvals,
    async stop() {
      await tasks.stop();
      await engine.stop();
      await stores.close();
    },
  };
}

/** @throws ConfigurationError if the database cannot be reached */
export async function openStores(
  stores: StoreBackend,
  values: SettingValues,
  report: ProgressReport,
): Promise<void> {
  try {
    await stores.open({ statementTimeoutMs: 1_000 * values['store.statement_timeout'] }, report);
  } catch (error) {
    if (!(error instanceof GuardrailsError) || error.code !== 'store_unavailable') throw error;
    throw new ConfigurationError([
      `the store cannot be opened: ${messageOf(error.cause)}. Check that the database runs and that its address is right, or run npx nest-guardrails doctor to check both`,
    ]);
  }
}

/** Node reports one error for each address that it tried, without a common message. */
function messageOf(cause: unknown): string {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error && first.message !== '' ? first.message : String(first);
}

class ConsoleDiagnostics extends Diagnostics {
  override warn(message: string, facts: Readonly<Record<string, unknown>> = {}): void {
    const details = Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts)}`;
    console.warn(`nest-guardrails: ${message}${details}`);
  }
}
