import { ConfigurationError } from '../../../contracts/src/errors.js';
import { type Tool } from '../../../contracts/src/firewall.js';
import { ToolCatalog } from '../ports.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { digestOf } from '../json/plain-json.js';
import { readParameters } from './tool-parameters.js';

interface Registered {
  readonly tool: Tool;
  readonly fingerprint: string | null;
  readonly isListed: boolean;
}

/** The tools that an approval can run on this instance, by name. A name means one tool. */
export class ToolRegistry extends ToolCatalog {
  private readonly tools = new Map<string, Registered>();

  /**
   * Says what approvals run under this name, whatever is guarded under it later.
   *
   * @throws ConfigurationError where another tool has the name, or the schema cannot be used.
   */
  list(tool: Tool): void {
    const fingerprint = checkedFingerprint(tool);
    const known = this.tools.get(tool.name);
    if (known !== undefined && known.tool !== tool) {
      throw new ConfigurationError([
        `Two tools in the list are called ${JSON.stringify(tool.name)}. Give one of them another name, so that an approval of the one can never run the other.`,
      ]);
    }
    this.tools.set(tool.name, { tool, fingerprint, isListed: true });
  }

  /**
   * Meets a tool that is guarded, as it may be again and again, for each request. The first of a name that is not listed
   * stays what approvals run: what is guarded later cannot slip in its place.
   *
   * @throws ConfigurationError where a tool with another schema has the name, or the schema cannot be used.
   */
  register(tool: Tool): void {
    const fingerprint = checkedFingerprint(tool);
    const known = this.tools.get(tool.name);
    if (known === undefined) {
      this.tools.set(tool.name, { tool, fingerprint, isListed: false });
    } else if (known.fingerprint !== fingerprint) {
      throw new ConfigurationError([
        `Two different tools are called ${JSON.stringify(tool.name)}: their schemas differ. Give one of them another name, so that an approval of the one can never run the other.`,
      ]);
    }
  }

  override find(name: string): Tool | undefined {
    return this.tools.get(name)?.tool;
  }

  /** Whether it is known what an approval of this tool's calls runs: the listed tool of its name, or its very own code. */
  runsSameCode(tool: Tool): boolean {
    const known = this.tools.get(tool.name);
    return known !== undefined && (known.isListed || isSameCode(known.tool, tool));
  }

  override fingerprintOf(tool: Tool): string | null {
    return fingerprintOf(tool);
  }
}

/** What a tool says of itself; all else that it holds its code may work on. */
const SAYINGS: ReadonlySet<PropertyKey> = new Set<keyof Tool>([
  'name',
  'description',
  'parameters',
  'schemaVersion',
  'destructive',
  'reversible',
  'idempotent',
  'annotations',
]);

/** The same function of the object's own, and nothing beside it that differs: a method works on what its object holds. */
function isSameCode(one: Tool, other: Tool): boolean {
  if (one === other) return true;
  if (!Object.hasOwn(one, 'execute') || !Object.hasOwn(other, 'execute')) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const held = new Set(
    [...Reflect.ownKeys(one), ...Reflect.ownKeys(other)].filter((key) => !SAYINGS.has(key)),
  );
  return [...held].every((key) => Object.is(Reflect.get(one, key), Reflect.get(other, key)));
}

function checkedFingerprint(tool: Tool): string | null {
  if (typeof tool.name !== 'string' || tool.name === '') {
    throw new ConfigurationError(['A tool needs a name.']);
  }
  try {
    return fingerprintOf(tool);
  } catch (error) {
    const why = error instanceof ConfigurationError ? error.reasons : [];
    throw new ConfigurationError([
      `The tool ${JSON.stringify(tool.name)} needs \`parameters\` that are a Standard Schema, or a JSON Schema: an object that JSON can hold.`,
      ...why,
    ]);
  }
}

/**
 * SHA-256 over the tool's name and its schema: another schema is another tool, whatever it is called. A schema without
 * a JSON form is known by the version that the tool gives it alone; `null` where it gives none.
 */
export function fingerprintOf(tool: Pick<Tool, 'name' | 'parameters' | 'schemaVersion'>): string | null {
  const { name, parameters, schemaVersion } = tool;
  const version: unknown = schemaVersion;
  if (version !== undefined && (typeof version !== 'string' || version === '')) {
    throw new ConfigurationError(['`schemaVersion` is a text that is not empty, or left out.']);
  }
  const named = { name, ...(version !== undefined && { version }) };
  const { json, judge } = readParameters(parameters);
  // Through JSON first: schemas written in code often hold keys that are undefined.
  if (json !== null) return digestOf({ ...named, parameters: JSON.parse(JSON.stringify(json)) as unknown });
  return version === undefined ? null : digestOf({ ...named, standard: judge?.vendor ?? null });
}

/** Whether a call of the tool needs a human. Any one source says so, and none can say otherwise. */
export function isDestructive(
  tool: Pick<Tool, 'name' | 'destructive' | 'annotations'>,
  settings: Settings,
): boolean {
  return (
    tool.destructive === true || tool.annotations?.destructiveHint === true || isListed(tool.name, settings)
  );
}

function isListed(name: string, settings: Settings): boolean {
  const listed = settings.get('hitl.destructive_tools');
  if (settings.get('tool_authorization.destructive_match') === 'exact') return listed.includes(name);
  // `delete` is meant to find `bulkDelete` too: where names are only alike, the wider reading is the safe one.
  const lowered = name.toLowerCase();
  return listed.some((part) => lowered.includes(part.toLowerCase()));
}
