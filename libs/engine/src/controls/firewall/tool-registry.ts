// The tools of this instance by their names, and whether a tool needs approval.
import { comparableId } from '#contracts/common/comparison.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import { closestName } from '#contracts/common/text.js';
import { ownPolicyOf, policyOf } from '#contracts/policies/policies.js';
import { ToolCatalog } from '../../shared/ports.js';
import { DEFAULT_SETTINGS, type Settings } from '#contracts/settings/settings.js';
import { digestOf } from '../../json/plain-json.js';
import { readParameters } from './tool-parameters.js';
import { compileError } from './tool-schema.js';

interface Registered {
  readonly tool: Tool;
  readonly fingerprint: string | null;
  readonly isListed: boolean;
}

/** The tools that approvals can run on this instance, by unique name as `comparableId` compares it. */
export class ToolRegistry extends ToolCatalog {
  private readonly tools = new Map<string, Registered>();

  /**
   * Registers the tool that approvals run under this name.
   *
   * @throws ConfigurationError where another tool has the name, or the schema cannot be used.
   */
  list(tool: Tool): void {
    const fingerprint = checkedFingerprint(tool);
    const entry = this.registered(tool.name);
    if (entry !== undefined && entry.tool !== tool)
      throw sameName('Two tools in `tools` are named', tool, entry);
    assertCompiles(tool);
    this.tools.set(comparableId(tool.name), { tool, fingerprint, isListed: true });
  }

  /**
   * Registers a guarded tool; called again for each request. For names outside the list, the first tool stays the
   * one that approvals run.
   *
   * @throws ConfigurationError where a tool with another schema has the name, or the schema cannot be used.
   */
  register(tool: Tool): void {
    const fingerprint = checkedFingerprint(tool);
    const entry = this.registered(tool.name);
    if (entry === undefined) this.tools.set(comparableId(tool.name), { tool, fingerprint, isListed: false });
    else if (entry.fingerprint !== fingerprint || entry.tool.name !== tool.name)
      throw sameName('Two different tools are named', tool, entry);
  }

  override names() {
    return Array.from(this.tools.values(), ({ tool }) => tool.name);
  }

  override find(name: string) {
    return this.registered(name)?.tool;
  }

  /**
   * Whether an approval of this tool runs the same code: its name is listed, or the registered tool has the same
   * function.
   */
  runsSameCode(tool: Tool): boolean {
    const entry = this.registered(tool.name);
    return entry !== undefined && (entry.isListed || isSameCode(entry.tool, tool));
  }

  override fingerprintOf(tool: Tool) {
    return fingerprintOf(tool);
  }

  private registered(name: string) {
    return this.tools.get(comparableId(name));
  }
}

function sameName(what: string, { name }: Tool, entry: Registered) {
  const why =
    name === entry.tool.name
      ? ': their schemas or functions differ'
      : ` and ${JSON.stringify(entry.tool.name)}, which are compared as the same name`;
  return new ConfigurationError([
    `${what} ${JSON.stringify(name)}${why}. Rename one of them, so that an approval of one can never run the other.`,
  ]);
}

/** Descriptive members of a tool; all other members may affect its code. */
const SAYINGS: ReadonlySet<PropertyKey> = new Set<keyof Tool>([
  'name',
  'description',
  'parameters',
  'schemaVersion',
  'destructive',
  'reversible',
  'idempotent',
  'describe',
  'returns',
  'annotations',
]);

/** The same own function, and no other member that differs: methods may use the members of their object. */
function isSameCode(one: Tool, other: Tool) {
  if (one === other) return true;
  if (!Object.hasOwn(one, 'execute') || !Object.hasOwn(other, 'execute')) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const members = new Set(
    [...Reflect.ownKeys(one), ...Reflect.ownKeys(other)].filter((key) => !SAYINGS.has(key)),
  );
  return [...members].every((key) => Object.is(Reflect.get(one, key), Reflect.get(other, key)));
}

/** RFC 6901. The empty one is the whole result. */
const POINTER = /^(?:\/(?:[^/~]|~[01])*)*$/;

const FLAGS = ['destructive', 'reversible', 'readOnly', 'idempotent'] as const;

/** A flag of another type, or with a slip in its name, would have no effect. Other members belong to the host. */
function memberFaults(tool: Tool): readonly string[] {
  const isNot = (type: string, member: keyof Tool) => ![type, 'undefined'].includes(typeof tool[member]);
  const faults = Object.keys(tool).flatMap((member) => {
    const flag = closestName(member, FLAGS);
    const isSlip = typeof Reflect.get(tool, member) === 'boolean' && flag?.[0] === member[0]?.toLowerCase();
    return flag === member || !isSlip ? [] : `a tool has no member \`${member}\`; did you mean ${flag}?`;
  });
  for (const flag of FLAGS)
    if (isNot('boolean', flag))
      faults.push(`\`${flag}\` is not a boolean; pass true or false, or leave it out`);
  if (isNot('function', 'describe'))
    faults.push('`describe` is not a function; pass (args, say) => …, or leave it out');
  return faults.map((fault) => `The tool ${JSON.stringify(tool.name)}: ${fault}`);
}

function checkedFingerprint(tool: Tool): string | null {
  const { name } = (tool as Partial<Tool> | null) ?? {};
  if (typeof name !== 'string' || name === '') {
    throw new ConfigurationError(['A tool has no name. Set `name` to a non-empty string.']);
  }
  if (typeof tool.execute !== 'function') {
    throw new ConfigurationError([
      `The tool ${JSON.stringify(tool.name)} has no function \`execute\`, so an approved call could not run. Add it.`,
    ]);
  }
  const faults = memberFaults(tool);
  if (faults.length > 0) throw new ConfigurationError(faults);
  const malformed = tool.returns?.trusted.find((pointer) => !POINTER.test(pointer));
  if (malformed !== undefined) {
    throw new ConfigurationError([
      `\`returns.trusted\` of the tool ${JSON.stringify(tool.name)} has ${JSON.stringify(malformed)}, which is no JSON pointer, so it would trust another part or none. Begin it with "/", such as "/orders/*/id".`,
    ]);
  }
  try {
    return fingerprintOf(tool);
  } catch (error) {
    const why = error instanceof ConfigurationError ? error.reasons : [];
    throw new ConfigurationError([
      `The tool ${JSON.stringify(tool.name)} has invalid \`parameters\`. Pass a Standard Schema, or a JSON Schema: an object of plain JSON.`,
      ...why,
    ]);
  }
}

/** Listed tools only, at start: a tool that is guarded per request refuses its calls instead. */
function assertCompiles({ name, parameters }: Tool) {
  const { json } = readParameters(parameters);
  const why = json === null ? null : compileError(json);
  if (why === null) return;
  throw new ConfigurationError([
    `The \`parameters\` of the tool ${JSON.stringify(name)} cannot be compiled as JSON Schema: ${why}. Correct the schema; otherwise every call would be refused.`,
  ]);
}

/**
 * SHA-256 over the tool's name and schema. A schema without a JSON form is identified by the tool's
 * `schemaVersion`; `null` where it has none.
 */
export function fingerprintOf(tool: Pick<Tool, 'name' | 'parameters' | 'schemaVersion'>): string | null {
  const { name, parameters, schemaVersion } = tool;
  const version: unknown = schemaVersion;
  if (version !== undefined && (typeof version !== 'string' || version === '')) {
    throw new ConfigurationError(['`schemaVersion` must be a non-empty string, or left out.']);
  }
  const named = { name, ...(version !== undefined && { version }) };
  const { json, judge } = readParameters(parameters);
  // The way through JSON removes undefined members, which schemas in code often have.
  if (json !== null) return digestOf({ ...named, parameters: JSON.parse(JSON.stringify(json)) as unknown });
  return version === undefined ? null : digestOf({ ...named, standard: judge?.vendor ?? null });
}

type Marked = Pick<Tool, 'name' | 'destructive' | 'annotations'>;

/** Whether a call of the tool needs approval, or the decision of a policy. Any one source suffices. */
export function isDestructive(tool: Marked, settings: Settings): boolean {
  return needsApproval(tool, settings) || policyOf(settings.get('hitl.policies'), tool.name) !== null;
}

/** Whether a call of the tool needs approval if it has no policy. */
export function needsApproval(tool: Marked, settings: Settings): boolean {
  return declaresItself(tool) || isListed(tool.name, settings);
}

/** Whether a person said that the tool is destructive: in the tool, in a policy that names it or in a list, not the default list. */
export function isDeclared(tool: Marked, settings: Settings): boolean {
  // A configured or stored list is another object, even if it has the names of the default.
  const isDefault = settings.get('hitl.destructive_tools') === DEFAULT_SETTINGS['hitl.destructive_tools'];
  return (
    declaresItself(tool) ||
    ownPolicyOf(settings.get('hitl.policies'), tool.name) !== null ||
    (!isDefault && isListed(tool.name, settings))
  );
}

function declaresItself({ destructive, annotations }: Marked) {
  return destructive === true || annotations?.destructiveHint === true;
}

function isListed(name: string, settings: Settings) {
  const listed = settings.get('hitl.destructive_tools').map(comparableId);
  const folded = comparableId(name);
  if (settings.get('tool_authorization.destructive_match') === 'exact') return listed.includes(folded);
  // `delete` also matches `bulkDelete`, because the stricter reading of similar names is safer.
  return listed.some((part) => folded.includes(part));
}
