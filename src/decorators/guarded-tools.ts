import {
  createParamDecorator,
  Inject,
  Injectable,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { reasonsOf } from '#contracts/common/errors.js';
import type { GuardedTool, ToolContext } from '#contracts/firewall/firewall.js';
import { Assembly } from '../options/assembly.js';
import { Callers } from './callers.js';
import { type DeclaredTool, toolOf, toolOptions } from './guarded-tool.decorator.js';

/** The part of Nest's wrapper of a provider that is used here. */
interface Provided {
  readonly instance: unknown;
  readonly metatype: unknown;
  readonly isTransient: boolean;
  isDependencyTreeStatic(): boolean;
}

/** The tools of the application: all methods with `@GuardedTool()`. */
@Injectable()
export class GuardedTools {
  private readonly declared: DeclaredTool[] = [];

  constructor(
    @Inject(Assembly) private readonly assembly: Assembly,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  /** The tools, guarded for the principal of the context. Handlers get those of their caller by `@CallerTools()`. */
  for(context: ToolContext): readonly GuardedTool[] {
    const { guardrails } = this.assembly.engine;
    return this.declared.map(({ tool, guarding }) => guardrails.guardTool(tool, context, guarding));
  }

  /** Registers the decorated methods of all providers. Returns why some cannot be registered. */
  register(): readonly string[] {
    const reasons: string[] = [];
    const seen = new Set<object>();
    for (const provided of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const prototype = prototypeOf(provided);
      if (prototype === null) continue;
      const methods = this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => toolOptions(prototype, name) !== null);
      if (methods.length === 0) continue;
      if (provided.isTransient || !provided.isDependencyTreeStatic()) {
        reasons.push(...methods.map((name) => requestScoped(prototype, name)));
        continue;
      }
      const provider = provided.instance as object;
      // A provider can have several tokens.
      if (seen.has(provider)) continue;
      seen.add(provider);
      for (const name of methods) reasons.push(...this.add(toolOf(provider, name)));
    }
    return reasons;
  }

  private add(declared: DeclaredTool | null): readonly string[] {
    if (declared === null) return [];
    const { tool, place } = declared;
    const other = this.declared.find((earlier) => earlier.tool.name === tool.name);
    this.declared.push(declared);
    const places = other === undefined ? place : `${place}, named as ${other.place}`;
    return reasonsOf(() => this.assembly.engine.listTool(tool)).map((reason) => `${places}: ${reason}`);
  }
}

function prototypeOf({ instance, metatype }: Provided): object | null {
  if (typeof instance === 'object' && instance !== null) {
    return Object.getPrototypeOf(instance) as object | null;
  }
  const prototype: unknown = typeof metatype === 'function' ? metatype.prototype : null;
  return typeof prototype === 'object' ? prototype : null;
}

function requestScoped(prototype: object, method: string) {
  return `${prototype.constructor.name}.${method} has @GuardedTool(), but its provider is created per request or per consumer, and an approved call runs without a request: remove the scope of the provider and of its dependencies, and pass what belongs to the caller as an owner key or as an argument`;
}

/** Turns the context of a call into the tools of its caller. */
@Injectable()
class CallerToolsPipe implements PipeTransform<ExecutionContext, Promise<readonly GuardedTool[]>> {
  constructor(
    @Inject(GuardedTools) private readonly tools: GuardedTools,
    @Inject(Callers) private readonly callers: Callers,
  ) {
    callers.assertResolver();
  }

  async transform(context: ExecutionContext): Promise<readonly GuardedTool[]> {
    return this.tools.for(await this.callers.contextOf(context));
  }
}

const contextOfCall = createParamDecorator((_: unknown, context: ExecutionContext) => context);

/** A parameter of a handler: all tools of the application, guarded for its caller. */
export function CallerTools(): ParameterDecorator {
  return contextOfCall(CallerToolsPipe);
}
