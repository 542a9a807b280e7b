/** Outputs that are JSON: every text in them is sanitized, then the whole is compared with its schema. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { JsonSchema, StandardSchema } from '#contracts/firewall/firewall.js';
import type { Rendering, StructureFinding } from '#contracts/output/output.js';
import type { Settings } from '#contracts/settings/settings.js';
import { isPlainObject } from '#contracts/common/text.js';
import { MAX_DEPTH, setOwn, stepsOf } from '../../json/plain-json.js';
import { compileSchema } from '../../schema/json-schema.js';
import { withinTime } from '../../shared/time-limit.js';
import type { Resumable } from '../../shared/resumable.js';
import type { Sanitized, Sanitizer } from './sanitizer.js';

/** A short text of one line is judged together with its name: the name `password` marks `hunter2abc` as a secret. */
const MAX_NAMED = 512;
/** The end of a longer name is enough. */
const MAX_NAME = 64;

/** Values between two pauses. */
const VALUES_PER_PAUSE = 1024;

export interface CleanStructure {
  /** A sanitized copy; `undefined` if the value is too long or not plain JSON. */
  readonly value: unknown;
  /** The given value as JSON; empty if it is not JSON. */
  readonly text: string;
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
  const maxLength = settings.get('output_handler.max_length');
  const walk = new StructureWalk((text) => sanitizer.sanitizing(text, settings, { rendering }), maxLength);
  try {
    const clean = yield* walk.visit(value, null);
    const { findings, isTooLong, length, text } = walk;
    if (!isTooLong) return { value: clean, text, findings, violations: {} };
    const withheld = { kind: 'too_long', detector: 'length', span: [0, length], path: ROOT } as const;
    return { value: undefined, text, findings: [withheld], violations: {} };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return { value: undefined, text: '', findings: [], violations: { [error.path]: error.message } };
  }
}

/** The path of the whole value. */
const ROOT = '(value)';

class StructureWalk {
  readonly findings: StructureFinding[] = [];
  /** Units of all texts so far. */
  length = 0;
  private path: string | null = null;
  private depth = 0;
  private visited = 0;
  /** The given value as JSON: up to the last pause, and in small parts since then. */
  private readonly json: string[] = [];
  private parts: string[] = [];

  constructor(
    private readonly sanitize: (text: string) => Resumable<Sanitized>,
    private readonly maxLength: number,
  ) {}

  get isTooLong(): boolean {
    return this.length > this.maxLength;
  }

  get text(): string {
    return [...this.json, ...this.parts].join('');
  }

  *visit(value: unknown, name: string | null): Resumable<unknown> {
    if (++this.visited % VALUES_PER_PAUSE === 0) {
      this.json.push(this.parts.join(''));
      this.parts = [];
      yield;
    }
    if (Array.isArray(value)) return yield* this.visitList(value, name);
    if (isPlainObject(value)) return yield* this.visitObject(value);
    const isText = typeof value === 'string';
    if (!isText && value !== null && typeof value !== 'boolean' && !Number.isFinite(value))
      throw new NotJson(this.path ?? ROOT, 'is not a JSON value');
    this.parts.push(JSON.stringify(value));
    return isText ? yield* this.judge(value, name, this.path ?? ROOT) : value;
  }

  private *visitList(list: readonly unknown[], name: string | null): Resumable<unknown> {
    const clean: unknown[] = [];
    this.parts.push('[');
    for (const [index, item] of list.entries()) {
      if (index > 0) this.parts.push(',');
      clean.push(yield* this.within(index, item, name));
    }
    this.parts.push(']');
    return clean;
  }

  private *visitObject(object: Readonly<Record<string, unknown>>): Resumable<unknown> {
    const clean: Record<string, unknown> = {};
    const numbers = new Map<string, number>();
    let separator = '{';
    for (const name of Object.keys(object)) {
      if (object[name] === undefined) continue;
      this.parts.push(separator, JSON.stringify(name), ':');
      separator = ',';
      const copy = yield* this.within(name, object[name], name);
      const shown = yield* this.judge(name, null, this.pathOf(name));
      setOwn(clean, freeName(clean, numbers, shown), copy);
    }
    this.parts.push(separator === '{' ? '{}' : '}');
    return clean;
  }

  private *within(step: string | number, value: unknown, name: string | null): Resumable<unknown> {
    if (++this.depth > MAX_DEPTH) {
      throw new NotJson(ROOT, `is nested deeper than ${MAX_DEPTH} levels, or has a circular reference`);
    }
    const outer = this.path;
    this.path = this.pathOf(step);
    const copy = yield* this.visit(value, name);
    this.path = outer;
    this.depth--;
    return copy;
  }

  private pathOf(step: string | number) {
    return this.path === null ? String(step) : `${this.path}.${step}`;
  }

  /** Beyond the maximum length, texts are only counted. */
  private *judge(text: string, name: string | null, path: string): Resumable<string> {
    this.length += text.length;
    if (this.isTooLong || text === '') return '';
    const sanitized = yield* this.together(text, name);
    for (const finding of sanitized.findings) this.findings.push({ ...finding, path });
    return sanitized.text;
  }

  private *together(text: string, name: string | null): Resumable<Sanitized> {
    if (name !== null && text.length <= MAX_NAMED && !/[\r\n]/.test(text)) {
      const prefix = `${name.slice(-MAX_NAME)}: `;
      const together = yield* this.sanitize(prefix + text);
      const isApart = together.findings.every(({ span }) => span[0] >= prefix.length);
      if (isApart && together.text.startsWith(prefix)) return behind(together, prefix.length);
    }
    return yield* this.sanitize(text);
  }
}

function behind({ text, findings }: Sanitized, start: number): Sanitized {
  return {
    text: text.slice(start),
    findings: findings.map(({ span, ...rest }) => ({ ...rest, span: [span[0] - start, span[1] - start] })),
  };
}

/** Names that became equal, such as two redacted addresses, get a number. */
function freeName(object: object, numbers: Map<string, number>, name: string) {
  let free = name;
  let number = numbers.get(name) ?? 2;
  for (; Object.hasOwn(object, free); number++) free = `${name} (${number})`;
  numbers.set(name, number);
  return free;
}

/** The schema of a structured output: a JSON Schema, or one of zod or another library with Standard Schema. */
export type OutputSchema = JsonSchema | StandardSchema;

/** Milliseconds that a schema with own code may take. */
const MAX_VALIDATION_MS = 5000;

const UNUSABLE = { '(schema)': 'the schema cannot be compiled or run, so no value is valid' };

const compiled = new WeakMap<object, ValidateFunction>();

/** Path to the violated rule of the schema. Values are not repeated, because they may hold secrets. */
export async function schemaViolations(
  value: unknown,
  schema: OutputSchema,
): Promise<Record<string, string>> {
  return isStandard(schema) ? standardViolations(value, schema) : jsonSchemaViolations(value, schema);
}

function jsonSchemaViolations(value: unknown, schema: JsonSchema): Record<string, string> {
  try {
    const validate = compiled.get(schema) ?? compileSchema(schema);
    compiled.set(schema, validate);
    if (validate(value)) return {};
    return Object.fromEntries(
      (validate.errors ?? []).map((error) => [placeOf(error), `does not fit: ${error.keyword}`]),
    );
  } catch {
    // The schema cannot be compiled, or is recursive and exceeds the stack.
    return UNUSABLE;
  }
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

function placeOf({ instancePath }: ErrorObject) {
  return stepsOf(instancePath).join('.') || '(value)';
}

function isStandard(schema: OutputSchema): schema is StandardSchema {
  return '~standard' in schema;
}
