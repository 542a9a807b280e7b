import type { ErrorObject, ValidateFunction } from 'ajv';
import type { JsonSchema, StandardSchema } from '#contracts/firewall.js';
import type { Rendering, StructureFinding } from '#contracts/output.js';
import type { Settings } from '#contracts/settings/settings.js';
import { isPlainObject } from '#contracts/text.js';
import { MAX_DEPTH, setOwn, stepsOf } from '../json/plain-json.js';
import { compileSchema } from '../schema/json-schema.js';
import { withinTime } from '../time-limit.js';
import type { Resumable } from '../resumable.js';
import type { Sanitized, Sanitizer } from './sanitizer.js';

/** A short text of one line is judged together with its name: the name `password` marks `hunter2abc` as a secret. */
const MAX_NAMED = 512;

export interface CleanStructure {
  /** A sanitized copy of plain JSON; `undefined` if the value is not JSON. */
  readonly value: unknown;
  /** The copy before sanitizing. */
  readonly given: unknown;
  readonly findings: readonly StructureFinding[];
  /** Path to the reason why the value is not plain JSON. */
  readonly violations: Readonly<Record<string, string>>;
}

class NotJson extends Error {
  constructor(
    readonly path: string,
    reason: string,
  ) {
    super(reason);
  }
}

/** Sanitizes every text of a structure, names of members included. */
export function* sanitizeStructure(
  value: unknown,
  sanitizer: Sanitizer,
  settings: Settings,
  rendering: Rendering,
): Resumable<CleanStructure> {
  const walk = new StructureWalk((text) => sanitizer.sanitizing(text, settings, { rendering }));
  try {
    const { clean, given } = yield* walk.visit(value, null);
    return { value: clean, given, findings: walk.findings, violations: {} };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return { value: undefined, given: null, findings: [], violations: { [error.path]: error.message } };
  }
}

interface Copies {
  readonly clean: unknown;
  readonly given: unknown;
}

class StructureWalk {
  readonly findings: StructureFinding[] = [];
  private readonly path: (string | number)[] = [];

  constructor(private readonly sanitize: (text: string) => Resumable<Sanitized>) {}

  *visit(value: unknown, name: string | null): Resumable<Copies> {
    if (typeof value === 'string') return { clean: this.keep(yield* this.judge(value, name)), given: value };
    if (value === null || typeof value === 'boolean' || Number.isFinite(value))
      return { clean: value, given: value };
    if (Array.isArray(value)) return yield* this.visitList(value, name);
    if (isPlainObject(value)) return yield* this.visitObject(value);
    throw new NotJson(this.place, 'is not a JSON value');
  }

  private *visitList(list: readonly unknown[], name: string | null): Resumable<Copies> {
    const copies: Copies[] = [];
    for (const [index, item] of list.entries()) copies.push(yield* this.within(index, item, name));
    return { clean: copies.map(({ clean }) => clean), given: copies.map(({ given }) => given) };
  }

  private *visitObject(object: Readonly<Record<string, unknown>>): Resumable<Copies> {
    const clean: Record<string, unknown> = {};
    const given: Record<string, unknown> = {};
    for (const name of Object.keys(object)) {
      if (object[name] === undefined) continue;
      const copies = yield* this.within(name, object[name], name);
      setOwn(clean, freeName(clean, this.keep(yield* this.judge(name, null), name)), copies.clean);
      setOwn(given, name, copies.given);
    }
    return { clean, given };
  }

  private *within(step: string | number, value: unknown, name: string | null): Resumable<Copies> {
    if (this.path.push(step) > MAX_DEPTH) {
      throw new NotJson('(value)', `is nested deeper than ${MAX_DEPTH} levels, or has a circular reference`);
    }
    const copies = yield* this.visit(value, name);
    this.path.pop();
    return copies;
  }

  private *judge(text: string, name: string | null): Resumable<Sanitized> {
    if (name !== null && text.length <= MAX_NAMED && !/[\r\n]/.test(text)) {
      const prefix = `${name}: `;
      const together = yield* this.sanitize(prefix + text);
      const isApart = together.findings.every(({ span }) => span[0] >= prefix.length);
      if (isApart && together.text.startsWith(prefix)) return behind(together, prefix.length);
    }
    return yield* this.sanitize(text);
  }

  private keep({ text, findings }: Sanitized, named?: string): string {
    const path = named === undefined ? this.place : [...this.path, named].join('.');
    this.findings.push(...findings.map((finding) => ({ ...finding, path })));
    return text;
  }

  private get place(): string {
    return this.path.length === 0 ? '(value)' : this.path.join('.');
  }
}

function behind({ text, findings }: Sanitized, start: number): Sanitized {
  return {
    text: text.slice(start),
    findings: findings.map(({ span, ...rest }) => ({ ...rest, span: [span[0] - start, span[1] - start] })),
  };
}

/** Names that became equal, such as two redacted addresses, get a number. */
function freeName(object: Readonly<Record<string, unknown>>, name: string): string {
  let free = name;
  for (let count = 2; Object.hasOwn(object, free); count++) free = `${name} (${count})`;
  return free;
}

/** The schema of a structured output: a JSON Schema, or one of zod or another library with Standard Schema. */
export type OutputSchema = JsonSchema | StandardSchema;

/** Milliseconds that a schema with own code may take. */
const MAX_VALIDATION_MS = 5000;

const UNUSABLE = { '(schema)': 'the schema cannot be compiled or run, so no value is valid' };

/** `null` if the schema cannot be compiled. */
const compiled = new WeakMap<object, ValidateFunction | null>();

/** Path to the violated rule of the schema. Values are not repeated, because they may hold secrets. */
export async function schemaViolations(
  value: unknown,
  schema: OutputSchema,
): Promise<Record<string, string>> {
  return isStandard(schema) ? standardViolations(value, schema) : jsonSchemaViolations(value, schema);
}

function jsonSchemaViolations(value: unknown, schema: JsonSchema): Record<string, string> {
  const validate = compiledOnce(schema);
  if (validate === null) return UNUSABLE;
  try {
    if (validate(value)) return {};
  } catch {
    // A recursive schema can exceed the stack.
    return UNUSABLE;
  }
  return Object.fromEntries(
    (validate.errors ?? []).map((error) => [placeOf(error), `does not fit: ${error.keyword}`]),
  );
}

async function standardViolations(value: unknown, schema: StandardSchema): Promise<Record<string, string>> {
  try {
    const result = await withinTime(schema['~standard'].validate(structuredClone(value)), MAX_VALIDATION_MS);
    const places = (result.issues ?? []).map(({ path = [] }) =>
      path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.'),
    );
    if (result.issues?.length === 0) return { '(value)': 'does not fit' };
    return Object.fromEntries(places.map((place) => [place === '' ? '(value)' : place, 'does not fit']));
  } catch {
    return UNUSABLE;
  }
}

function compiledOnce(schema: JsonSchema): ValidateFunction | null {
  if (!compiled.has(schema)) compiled.set(schema, compile(schema));
  return compiled.get(schema) ?? null;
}

function compile(schema: JsonSchema): ValidateFunction | null {
  try {
    return compileSchema(schema);
  } catch {
    return null;
  }
}

function placeOf({ instancePath }: ErrorObject): string {
  return stepsOf(instancePath).join('.') || '(value)';
}

function isStandard(schema: OutputSchema): schema is StandardSchema {
  return '~standard' in schema;
}
