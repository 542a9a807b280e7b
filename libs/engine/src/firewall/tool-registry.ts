import { ConfigurationError } from '../../../contracts/src/errors.js';
import { ToolCatalogue, type Tool } from '../../../contracts/src/firewall.js';
import { digestOf } from '../json/canonical-json.js';
import { readParameters } from './tool-parameters.js';

/** SHA-256 over the tool's name and its schema: another schema is another tool, whatever it is called. */
export function fingerprintOf({ name, parameters }: Pick<Tool, 'name' | 'parameters'>): string {
  const { json, judge } = readParameters(parameters);
  if (json === null) return digestOf({ name, standard: judge?.vendor ?? null });
  // Through JSON first: schemas written in code often hold keys that are undefined.
  return digestOf({ name, parameters: JSON.parse(JSON.stringify(json)) as unknown });
}

/** The tools that an approval can run on this instance, by name. A name means one tool. */
export class ToolRegistry extends ToolCatalogue {
  private readonly tools = new Map<string, { readonly tool: Tool; readonly fingerprint: string }>();

  /**
   * The same tool may be registered again and again, as it is for each request; the last one is kept.
   *
   * @throws ConfigurationError where another tool has the name, or the schema cannot be used.
   */
  register(tool: Tool): void {
    const fingerprint = checkedFingerprint(tool);
    const known = this.tools.get(tool.name);
    if (known !== undefined && known.fingerprint !== fingerprint) {
      throw new ConfigurationError([
        `Two different tools are called ${JSON.stringify(tool.name)}: their schemas differ. Give one of them another name, so that an approval of the one can never run the other.`,
      ]);
    }
    this.tools.set(tool.name, { tool, fingerprint });
  }

  override find(name: string): Tool | undefined {
    return this.tools.get(name)?.tool;
  }

  override fingerprintOf(tool: Tool): string {
    return fingerprintOf(tool);
  }
}

function checkedFingerprint(tool: Tool): string {
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
