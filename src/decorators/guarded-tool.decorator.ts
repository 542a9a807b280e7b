import 'reflect-metadata';
import { ConfigurationError } from '#contracts/common/errors.js';
import type {
  GuardedTool as GuardedToolOfCaller,
  GuardOptions,
  Tool,
  ToolArguments,
  ToolRun,
} from '#contracts/firewall/firewall.js';

/** A tool whose code is a method. `name` is the name of the method by default; `notText` is that of `guardTool`. */
export type GuardedToolOptions = Omit<Tool, 'execute' | 'name'> &
  Pick<GuardOptions, 'notText'> & { readonly name?: string };

/** A tool that a method declares, and how it is guarded. */
export interface DeclaredTool {
  readonly tool: Tool;
  readonly guarding: GuardOptions;
  /** The class and the method, for errors. */
  readonly place: string;
}

export type GuardedTool<Result = unknown> = GuardedToolOfCaller<Result>;

type ToolMethod = (args: never, run: ToolRun) => unknown;

const TOOL = Symbol('nest-guardrails tool');

/**
 * Makes a method of a provider a tool. The tool is registered at boot, so that approvals run it on every instance;
 * `@CallerTools()` and `GuardedTools` return it guarded. A direct call of the method is not guarded.
 */
export function GuardedTool(options: GuardedToolOptions) {
  return <Method extends ToolMethod>(
    target: object,
    name: string | symbol,
    { value }: TypedPropertyDescriptor<Method>,
  ) => {
    if (typeof target === 'function') {
      throw new ConfigurationError([
        `${target.name}.${String(name)} has @GuardedTool(), but it is static, and tools are methods of providers: remove \`static\`, or add the tool to \`tools\` of forRoot()`,
      ]);
    }
    if (value !== undefined) Reflect.defineMetadata(TOOL, options, value);
  };
}

/** The tool of a decorated method; `null` for other methods. */
export function toolOf(provider: object, methodName: string): DeclaredTool | null {
  const options = toolOptions(provider, methodName);
  if (options === null) return null;
  const { notText, ...declared } = options;
  const method = Reflect.get(provider, methodName) as (args: ToolArguments, run: ToolRun) => unknown;
  return {
    tool: { name: methodName, ...declared, execute: (args, run) => method.call(provider, args, run) },
    guarding: notText === undefined ? {} : { notText },
    place: `${provider.constructor.name}.${methodName}`,
  };
}

export function toolOptions(prototype: object, methodName: string): GuardedToolOptions | null {
  const method: unknown = Reflect.get(prototype, methodName);
  if (typeof method !== 'function') return null;
  return (Reflect.getMetadata(TOOL, method) as GuardedToolOptions | undefined) ?? null;
}
