// Owner keys are arguments that say whose data a call concerns, such as `user_id`. The model cannot choose them.
import { isDeepStrictEqual } from 'node:util';
import type { OverwrittenArgument } from '#contracts/approvals/approvals.js';
import type { JsonSchema, Tool, ToolArguments } from '#contracts/firewall/firewall.js';
import type { Settings } from '#contracts/settings/settings.js';
import { isPlainObject, scrubText } from '#contracts/common/text.js';
import { pathText, pointerTo } from '../../json/plain-json.js';
import { composed, declaredItem, declaredNames, declaredProperty } from './subschemas.js';
import { comparableName } from '#contracts/common/comparison.js';
import { readParameters } from './tool-parameters.js';

/** Names that change an object's prototype when arguments are merged into another object. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Deeper arguments are refused. */
const DEEPEST_SCOPE = 64;

export interface ScopedArguments {
  readonly args: ToolArguments;
  /** Owner keys with another value than the principal. */
  readonly overwritten: readonly OverwrittenArgument[];
  readonly violations: Record<string, string>;
}

type Path = readonly (string | number)[];

/**
 * A copy of the arguments in which every owner key contains the authenticated principal: added at the top level
 * where the schema declares it, and overwritten at every depth (at the top level only, under `owner_key_depth:
 * top_level`). Keys that cannot be overwritten are removed and are violations.
 */
export function scopeToPrincipal(
  args: ToolArguments,
  tool: Pick<Tool, 'parameters'>,
  principalId: string | undefined,
  settings: Settings,
): ScopedArguments {
  const scope = new Scope(readParameters(tool.parameters).json ?? {}, principalId, settings);
  const scoped = scope.scoped(args);
  return {
    args: scoped,
    overwritten: scope.overwritten,
    violations: Object.fromEntries(scope.violations),
  };
}

/**
 * The tool's JSON Schema without the owner keys of the top level, where the firewall adds them; `null` where it has no
 * JSON form. Deeper owner keys stay: they are overwritten where they are given, but never added.
 */
export function withoutOwnerKeys(tool: Pick<Tool, 'parameters'>, settings: Settings): JsonSchema | null {
  const { json } = readParameters(tool.parameters);
  if (json === null || settings.mode('tool_firewall').isOff()) return json;
  const ownerKeys = new Set(settings.get('tool_firewall.owner_keys').map(comparableName));
  const isShown = (name: unknown) => typeof name !== 'string' || !ownerKeys.has(comparableName(name));
  const { properties, required } = json;
  return {
    ...json,
    ...(isPlainObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isShown(name))),
    }),
    ...(Array.isArray(required) && { required: required.filter(isShown) }),
  };
}

class Scope {
  readonly violations = new Map<string, string>();
  readonly overwritten: OverwrittenArgument[] = [];
  private readonly ownerKeys: ReadonlySet<string>;
  private readonly everywhere: boolean;

  constructor(
    private readonly schema: JsonSchema,
    private readonly principalId: string | undefined,
    settings: Settings,
  ) {
    this.ownerKeys = new Set(settings.get('tool_firewall.owner_keys').map(comparableName));
    this.everywhere = settings.get('tool_authorization.owner_key_depth') === 'recursive';
  }

  scoped(args: ToolArguments): ToolArguments {
    const copied = this.copyObject(args, []);
    for (const name of declaredNames(this.schema)) {
      if (this.isOwnerKey(name) && !PROTOTYPE_KEYS.has(name) && !Object.hasOwn(args, name))
        this.own(copied, name, []);
    }
    return copied;
  }

  private isOwnerKey(name: string) {
    return this.ownerKeys.has(comparableName(name));
  }

  private copy(value: unknown, path: Path): unknown {
    if (Array.isArray(value)) {
      if (this.isTooDeep(path)) return [];
      return value.map((item: unknown, index) => this.copy(item, [...path, index]));
    }
    if (!isPlainObject(value)) return value;
    return this.isTooDeep(path) ? {} : this.copyObject(value, path);
  }

  private copyObject(object: ToolArguments, path: Path) {
    const copied: Record<string, unknown> = {};
    const owns = this.everywhere || path.length === 0;
    for (const [key, value] of Object.entries(object)) {
      if (PROTOTYPE_KEYS.has(key)) {
        this.violations.set(pathText([...path, key]), 'is not allowed as the name of an argument');
      } else if (owns && this.isOwnerKey(key)) this.own(copied, key, path, value);
      else copied[key] = this.copy(value, [...path, key]);
    }
    return copied;
  }

  /** `given` is `undefined` where the key was not given. */
  private own(target: Record<string, unknown>, key: string, path: Path, given?: unknown): void {
    const place = [...path, key];
    const refuse = (why: string) => {
      this.violations.set(pathText(place), `must contain the principal${why}`);
    };
    const id = this.principalId;
    if (id === undefined || id === '') return refuse(', but the context has no principalId');
    if (typeof id !== 'string') return refuse(', but the principalId of the context is not a string');
    if (scrubText(id) !== id) return refuse(', but its id has characters that cannot be stored');
    const types = this.typesAt(place);
    const isList = types.has('array') && !types.has('string');
    const item = asDeclared(id, isList ? this.typesAt([...place, 0]) : types);
    if (item === undefined) return refuse(' as a number, but its id is not a number');
    const owner = isList ? [item] : item;
    target[key] = owner;
    if (given !== undefined && !isDeepStrictEqual(given, owner))
      this.overwritten.push({ path: pointerTo(place), from: given, to: owner });
  }

  private isTooDeep(path: Path) {
    if (path.length <= DEEPEST_SCOPE) return false;
    this.violations.set('(arguments)', `is nested deeper than ${DEEPEST_SCOPE} levels`);
    return true;
  }

  private typesAt(path: Path): ReadonlySet<unknown> {
    let schemas: readonly unknown[] = [this.schema];
    for (const step of path) {
      schemas =
        typeof step === 'number'
          ? declaredItem(schemas, step, this.schema)
          : declaredProperty(schemas, step, this.schema);
    }
    return new Set(schemas.flatMap((schema) => composed(schema, this.schema)).flatMap(({ type }) => type));
  }
}

/**
 * The principal in the declared type. A number must have the same text as the id, so that two ids never become
 * one.
 */
function asDeclared(principalId: string, types: ReadonlySet<unknown>) {
  if (types.has('string') || !(types.has('integer') || types.has('number'))) return principalId;
  const number = Number(principalId);
  if (String(number) !== principalId || !Number.isFinite(number)) return undefined;
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return undefined;
  return types.has('number') || Number.isInteger(number) ? number : undefined;
}
