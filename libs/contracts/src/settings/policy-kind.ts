import {
  LIMIT_WINDOWS_MS,
  REQUIREMENTS,
  type Comparison,
  type Policies,
  type PolicyConstant,
  type PolicyDemand,
  type PolicyLimit,
  type PolicyRule,
  type ToolPolicy,
} from '../policies/policies.js';
import { isPlainObject, scrubText } from '../common/text.js';
import type { RunLabel } from '../runs/run.store.js';
import { invalid, isLonger, parseJsonText, type SettingKind, validUnless } from './setting-kinds.js';

const MAX_TOOLS = 200;
const MAX_RULES = 20;
const MAX_LIMITS = 10;
const MAX_CONDITIONS = 10;
const MAX_CHOICES = 100;
const MAX_NAMES = 50;
const MAX_NAME = 200;
const MAX_CONSTANT = 1000;
const MAX_APPROVERS = 20;
const MAX_TTL = 30 * 24 * 3600;

const RISEN_LABELS = ['untrusted', 'suspect'] as const satisfies readonly RunLabel[];

const DEMAND_KEYS = ['require', 'approvers', 'group', 'ttl', 'reason'];
const ORDER_KEYS = ['lt', 'lte', 'gt', 'gte'] as const;

/** Policies by tool. An error names tool, rule and condition. */
export const toolPolicies: SettingKind<Policies> = {
  name: 'object of tool policies',
  schema: {
    type: 'object',
    maxProperties: MAX_TOOLS,
    additionalProperties: {
      type: 'object',
      properties: {
        rules: { type: 'array', maxItems: MAX_RULES, items: { type: 'object' } },
        limits: { type: 'array', maxItems: MAX_LIMITS, items: { type: 'object' } },
      },
      additionalProperties: false,
    },
  },
  parse(raw) {
    if (!isPlainObject(raw)) return invalid('must be an object of tools');
    const names = Object.keys(raw).toSorted();
    if (names.length > MAX_TOOLS) return invalid(`must have at most ${MAX_TOOLS} tools`);
    const reasons: string[] = [];
    const policies = names.map((name) => {
      const reader = new PolicyReader(name, reasons);
      return [scrubText(name), reader.policy(raw[name])] as const;
    });
    return validUnless(reasons, deepFreeze(Object.fromEntries(policies)));
  },
  parseText(written) {
    const json = parseJsonText(written);
    return json.ok ? toolPolicies.parse(json.value) : json;
  },
};

/** Reads a demand from code of the host. `null`: it is invalid. */
export function readDemand(raw: unknown): PolicyDemand | null {
  const reasons: string[] = [];
  if (!isPlainObject(raw)) return null;
  const reader = new PolicyReader('', reasons);
  const demand = reader.known('', raw, DEMAND_KEYS) ? reader.demand('', raw, null) : null;
  return reasons.length > 0 ? null : demand;
}

/** Reads one policy and collects the errors, each with its place. */
class PolicyReader {
  constructor(
    private readonly tool: string,
    private readonly reasons: string[],
  ) {}

  policy(raw: unknown): ToolPolicy {
    if (this.tool.trim() === '' || isLonger(this.tool, MAX_NAME))
      this.fail('', `must have a name of 1 to ${MAX_NAME} characters`);
    if (!isPlainObject(raw)) {
      this.fail('', 'must be an object with rules and limits');
      return { rules: [], limits: [] };
    }
    this.known('', raw, ['rules', 'limits']);
    this.assertDefined('', raw);
    const rules = this.list('rules', raw['rules'], MAX_RULES, (rule, number) =>
      this.rule(`rule ${number}`, rule),
    );
    const limits = this.list('limits', raw['limits'], MAX_LIMITS, (limit, number) =>
      this.limit(`limit ${number}`, limit),
    );
    if (rules.length + limits.length === 0) this.fail('', 'must have at least one rule or limit');
    this.assertOneGroup(rules, limits);
    return { rules, limits };
  }

  /** A call above a limit needs what its rule and the limit require; no approver can satisfy two groups. */
  private assertOneGroup(rules: readonly PolicyRule[], limits: readonly PolicyLimit[]) {
    limits.forEach((limit, index) => {
      const others = [...rules, ...limits].flatMap(({ group }) => group ?? []);
      const other = limit.group === undefined ? undefined : others.find((group) => group !== limit.group);
      if (other !== undefined)
        this.fail(
          `limit ${index + 1}`,
          `must not name another group (${limit.group}) than the rules and limits beside it (${other}), because both would have to decide`,
        );
    });
  }

  private list<T>(
    name: string,
    raw: unknown,
    maximum: number,
    read: (item: Record<string, unknown>, number: number) => T | null,
  ): readonly T[] {
    if (raw === undefined) return [];
    if (!Array.isArray(raw) || raw.length > maximum) {
      this.fail(name, `must be a list of at most ${maximum} entries`);
      return [];
    }
    // Array.from reads the holes that flatMap skips, so that a hole is an error.
    return Array.from<unknown>(raw).flatMap((item, index) => {
      if (isPlainObject(item)) return read(item, index + 1) ?? [];
      this.fail(`${name.slice(0, -1)} ${index + 1}`, 'must be an object');
      return [];
    });
  }

  private rule(place: string, raw: Record<string, unknown>): PolicyRule {
    this.known(place, raw, ['when', 'application', 'after', 'vouched', ...DEMAND_KEYS]);
    this.assertDefined(place, raw);
    const when = this.conditions(place, raw['when']);
    const application = this.applications(place, raw['application']);
    const after = RISEN_LABELS.find((label) => label === raw['after']);
    if (raw['after'] !== undefined && after === undefined)
      this.fail(place, `after must be one of ${RISEN_LABELS.join(', ')}`);
    return {
      when,
      ...(application !== null && { application }),
      ...(after !== undefined && { after }),
      ...this.vouched(place, raw['vouched']),
      ...this.demand(place, raw, null),
    };
  }

  private limit(place: string, raw: Record<string, unknown>): PolicyLimit {
    this.known(place, raw, ['sum', 'count', 'lte', 'per', ...DEMAND_KEYS]);
    this.assertDefined(place, raw);
    const { sum, count, lte, per } = raw;
    if ((sum === undefined) === (count === undefined) || (count !== undefined && count !== true))
      this.fail(place, 'must have either sum, a JSON pointer, or count: true');
    if (sum !== undefined && !isPointer(sum)) this.fail(place, `sum ${POINTER_RULE}`);
    if (!isNumber(lte) || lte < 0) this.fail(place, `lte ${NUMBER_RULE}, and not negative`);
    if (typeof per !== 'string' || !Object.hasOwn(LIMIT_WINDOWS_MS, per))
      this.fail(place, `per must be one of ${Object.keys(LIMIT_WINDOWS_MS).join(', ')}`);
    if (raw['require'] === 'allow') this.fail(place, 'require must be approval or deny');
    return {
      ...(count === true ? { count } : { sum: String(sum) }),
      lte: lte as number,
      per: per as PolicyLimit['per'],
      ...this.demand(place, raw, 'approval'),
    };
  }

  demand(
    place: string,
    raw: Record<string, unknown>,
    fallback: PolicyDemand['require'] | null,
  ): PolicyDemand {
    const { require = fallback, approvers, group, ttl, reason } = raw;
    const name = REQUIREMENTS.find((candidate) => candidate === require);
    if (name === undefined) this.fail(place, `require must be one of ${REQUIREMENTS.join(', ')}`);
    const extra = ['approvers', 'group', 'ttl', 'reason'].filter((key) => raw[key] !== undefined);
    if (name !== undefined && name !== 'approval' && extra.length > 0)
      this.fail(place, `${extra.join(', ')} must only be used with require: approval`);
    if (approvers !== undefined && !isInteger(approvers, MAX_APPROVERS))
      this.fail(place, `approvers must be an integer from 1 to ${MAX_APPROVERS}`);
    if (group !== undefined && !isName(group))
      this.fail(place, `group must be a string of 1 to ${MAX_NAME} characters`);
    if (ttl !== undefined && !isInteger(ttl, MAX_TTL))
      this.fail(place, `ttl must be an integer of seconds from 1 to ${MAX_TTL}`);
    if (reason !== undefined && reason !== 'required') this.fail(place, 'reason must be "required"');
    return {
      require: name ?? 'deny',
      ...(approvers !== undefined && { approvers: approvers as number }),
      ...(group !== undefined && { group: scrubText(group as string) }),
      ...(ttl !== undefined && { ttl: ttl as number }),
      ...(reason !== undefined && { reason: 'required' as const }),
    };
  }

  private applications(place: string, raw: unknown): readonly string[] | null {
    if (raw === undefined) return null;
    const names: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
    if (names.length > 0 && names.length <= MAX_NAMES && names.every(isName))
      return [...new Set(names.map(scrubText))];
    this.fail(place, `application must be a string, or a list of 1 to ${MAX_NAMES} strings`);
    return null;
  }

  private vouched(place: string, raw: unknown): Pick<PolicyRule, 'vouched'> {
    if (raw === undefined) return {};
    if (Array.isArray(raw) && raw.length > 0 && raw.length <= MAX_CONDITIONS && raw.every(isPointer))
      return { vouched: [...new Set(raw)] };
    this.fail(place, `vouched must be a list of 1 to ${MAX_CONDITIONS} JSON pointers such as /to`);
    return {};
  }

  private conditions(place: string, raw: unknown): PolicyRule['when'] {
    if (raw === undefined) return {};
    if (!isPlainObject(raw)) {
      this.fail(place, 'when must be an object of JSON pointers');
      return {};
    }
    const conditions = Object.entries(raw).map(
      ([pointer, comparison]) =>
        [pointer, this.comparison(`${place}, condition ${shown(pointer)}`, pointer, comparison)] as const,
    );
    const count = conditions.reduce((sum, [, comparison]) => sum + Object.keys(comparison).length, 0);
    if (count > MAX_CONDITIONS)
      this.fail(place, `must have at most ${MAX_CONDITIONS} conditions, and has ${count}`);
    return Object.fromEntries(conditions);
  }

  private comparison(place: string, pointer: string, raw: unknown): Comparison {
    if (!isPointer(pointer)) this.fail(place, POINTER_RULE);
    if (!isPlainObject(raw) || Object.keys(raw).length === 0) {
      this.fail(place, 'must be an object with eq, in, lt, lte, gt, gte or missing');
      return {};
    }
    this.known(place, raw, ['eq', 'in', ...ORDER_KEYS, 'missing']);
    this.assertDefined(place, raw);
    const { eq, in: choices, missing } = raw;
    if (eq !== undefined && !isConstant(eq)) this.fail(place, `eq ${CONSTANT_RULE}`);
    if (
      choices !== undefined &&
      !(
        Array.isArray(choices) &&
        choices.length > 0 &&
        choices.length <= MAX_CHOICES &&
        choices.every(isConstant)
      )
    )
      this.fail(place, `in must be a list of 1 to ${MAX_CHOICES} constants; each ${CONSTANT_RULE}`);
    for (const key of ORDER_KEYS) {
      if (raw[key] !== undefined && !isNumber(raw[key])) this.fail(place, `${key} ${NUMBER_RULE}`);
    }
    if (missing !== undefined && typeof missing !== 'boolean')
      this.fail(place, 'missing must be true or false');
    if (missing === true && Object.keys(raw).length > 1)
      this.fail(place, 'missing: true must stand alone, because an absent argument equals nothing');
    return structuredCopy(raw);
  }

  /** A member in code may be undefined by mistake, and would then not restrict anything. */
  private assertDefined(place: string, raw: Record<string, unknown>) {
    for (const key of Object.keys(raw)) {
      if (raw[key] === undefined) this.fail(place, `${key} is undefined: give it a value, or leave it out`);
    }
  }

  known(place: string, raw: Record<string, unknown>, keys: readonly string[]): boolean {
    const strange = Object.keys(raw).filter((key) => !keys.includes(key));
    if (strange.length > 0)
      this.fail(place, `has the unknown key ${strange.map(shown).join(', ')}: use ${keys.join(', ')}`);
    return strange.length === 0;
  }

  private fail(place: string, reason: string) {
    this.reasons.push(`tool ${shown(this.tool)}${place === '' ? '' : `, ${place}`}: ${reason}`);
  }
}

const POINTER_RULE = 'must be a JSON pointer such as /amount or /lines/0/sku, of at most 500 characters';
const NUMBER_RULE = 'must be a finite number between -9007199254740991 and 9007199254740991';
const CONSTANT_RULE = `must be a string of at most ${MAX_CONSTANT} characters, a boolean, null or a number: a number ${NUMBER_RULE}`;

const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/u;

function isPointer(raw: unknown): raw is string {
  return typeof raw === 'string' && raw.length <= 500 && POINTER.test(raw) && scrubText(raw) === raw;
}

/** Beyond these bounds a number may differ from the one that was written. */
function isNumber(raw: unknown): raw is number {
  return typeof raw === 'number' && Math.abs(raw) <= Number.MAX_SAFE_INTEGER;
}

function isInteger(raw: unknown, maximum: number) {
  return Number.isSafeInteger(raw) && (raw as number) >= 1 && (raw as number) <= maximum;
}

function isName(raw: unknown): raw is string {
  return typeof raw === 'string' && raw.trim() !== '' && !isLonger(raw, MAX_NAME);
}

function isConstant(raw: unknown): raw is PolicyConstant {
  if (typeof raw === 'string') return !isLonger(raw, MAX_CONSTANT);
  return raw === null || typeof raw === 'boolean' || isNumber(raw);
}

function shown(name: string) {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}

/** A frozen snapshot must not share objects with the caller. */
function structuredCopy(raw: Record<string, unknown>): Comparison {
  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') return scrubText(value);
    return Array.isArray(value) ? value.map(copy) : value;
  };
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, copy(value)]));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
