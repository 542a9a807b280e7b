import type { StructureFinding } from '../../../contracts/src/output.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { DEEPEST, isPlainObject, setOwn } from '../json/plain-json.js';
import type { Sanitised, Sanitiser } from './sanitiser.js';

/** A text of one line and no more is judged together with its name: `password` says what `hunter2abc` is. */
const LONGEST_NAMED = 512;

export interface SanitisedStructure {
  /** A copy that holds plain JSON only; `undefined` where the value is none. */
  readonly value: unknown;
  /** The same without a change. */
  readonly given: unknown;
  readonly findings: readonly StructureFinding[];
  /** Why the value is no plain JSON. */
  readonly violations: Readonly<Record<string, string>>;
}

class Unreadable extends Error {
  constructor(
    readonly path: string,
    reason: string,
  ) {
    super(reason);
  }
}

/** Sanitises every text of a structure, names included. */
export function sanitiseStructure(
  value: unknown,
  sanitiser: Sanitiser,
  settings: Settings,
): SanitisedStructure {
  const walk = new StructureWalk(sanitiser, settings);
  try {
    const { clean, given } = walk.visit(value, null);
    return { value: clean, given, findings: walk.findings, violations: {} };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
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

  constructor(
    private readonly sanitiser: Sanitiser,
    private readonly settings: Settings,
  ) {}

  visit(value: unknown, name: string | null): Copies {
    if (typeof value === 'string') return { clean: this.keep(this.judge(value, name)), given: value };
    if (value === null || typeof value === 'boolean' || Number.isFinite(value))
      return { clean: value, given: value };
    if (Array.isArray(value)) return this.visitList(value, name);
    if (isPlainObject(value)) return this.visitObject(value);
    throw new Unreadable(this.place, 'is not a JSON value');
  }

  private visitList(list: readonly unknown[], name: string | null): Copies {
    const copies = Array.from(list, (item, index) => this.within(index, item, name));
    return { clean: copies.map(({ clean }) => clean), given: copies.map(({ given }) => given) };
  }

  private visitObject(object: Readonly<Record<string, unknown>>): Copies {
    const clean: Record<string, unknown> = {};
    const given: Record<string, unknown> = {};
    for (const name of Object.keys(object)) {
      if (object[name] === undefined) continue;
      const copies = this.within(name, object[name], name);
      setOwn(clean, freeName(clean, this.keep(this.judge(name, null), name)), copies.clean);
      setOwn(given, name, copies.given);
    }
    return { clean, given };
  }

  private within(step: string | number, value: unknown, name: string | null): Copies {
    if (this.path.push(step) > DEEPEST) {
      throw new Unreadable('(value)', `is nested deeper than ${DEEPEST} levels, or in a circle`);
    }
    const copies = this.visit(value, name);
    this.path.pop();
    return copies;
  }

  private judge(text: string, name: string | null): Sanitised {
    if (name !== null && text.length <= LONGEST_NAMED && !/[\r\n]/.test(text)) {
      const prefix = `${name}: `;
      const together = this.sanitiser.sanitise(prefix + text, this.settings);
      const isApart = together.findings.every(({ span }) => span[0] >= prefix.length);
      if (isApart && together.text.startsWith(prefix)) return behind(together, prefix.length);
    }
    return this.sanitiser.sanitise(text, this.settings);
  }

  private keep({ text, findings }: Sanitised, named?: string): string {
    const path = named === undefined ? this.place : [...this.path, named].join('.');
    this.findings.push(...findings.map((finding) => ({ ...finding, path })));
    return text;
  }

  private get place(): string {
    return this.path.length === 0 ? '(value)' : this.path.join('.');
  }
}

function behind({ text, findings }: Sanitised, start: number): Sanitised {
  return {
    text: text.slice(start),
    findings: findings.map(({ span, ...rest }) => ({ ...rest, span: [span[0] - start, span[1] - start] })),
  };
}

/** Names that became the same, as two addresses do, stay apart. */
function freeName(object: Readonly<Record<string, unknown>>, name: string): string {
  let free = name;
  for (let count = 2; Object.hasOwn(object, free); count++) free = `${name} (${count})`;
  return free;
}
