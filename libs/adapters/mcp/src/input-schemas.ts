import type { JsonSchema, StandardSchema, ToolParameters } from '#contracts/firewall/firewall.js';

/** What a host passes as `inputSchema`: a schema of zod or another library, or an object of zod schemas. */
export type InputSchema = StandardSchema | Readonly<Record<string, unknown>>;

interface InputSchemas {
  parametersOf(schema: InputSchema | undefined): ToolParameters;
  /** An `inputSchema` for the SDK that lists this JSON Schema, and passes on the arguments as the model wrote them. */
  shown(schema: JsonSchema | null): unknown;
}

const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {} };

/** The SDK 1.x reads zod schemas, and `@modelcontextprotocol/server` 2.x reads Standard Schemas. */
export async function schemasOf(server: object): Promise<InputSchemas> {
  const isFirst = 'tool' in server && typeof server.tool === 'function';
  return isFirst ? zodSchemas() : STANDARD_SCHEMAS;
}

/** `inputSchema: {}` is an object of no zod schemas: both SDKs accept it for a tool without parameters. */
const isEmpty = (schema: InputSchema): boolean =>
  !('~standard' in schema) && Object.keys(schema).length === 0;

const STANDARD_SCHEMAS: InputSchemas = {
  parametersOf: (schema) => {
    if (schema === undefined || isEmpty(schema)) return NO_PARAMETERS;
    if ('~standard' in schema) return schema;
    throw new Error(
      'A guarded MCP tool needs a Standard Schema as `inputSchema`, such as z.object({ … }) of zod 4.2 or later.',
    );
  },
  shown: (schema) => ({ '~standard': anything(schema ?? NO_PARAMETERS) }),
};

/** Accepts every value. The SDK requires `output` as well. */
function anything(schema: JsonSchema): object {
  const json = (): JsonSchema => ({ ...schema });
  return {
    version: 1,
    vendor: 'nest-guardrails',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: json, output: json },
  };
}

/** Through the helpers of the SDK, so that its own version of zod is used. */
async function zodSchemas(): Promise<InputSchemas> {
  const [{ normalizeObjectSchema, objectFromShape }, { toJsonSchemaCompat }] = await load();
  type Zod = Parameters<typeof normalizeObjectSchema>[0];
  return {
    parametersOf: (schema) => {
      if (schema === undefined || isEmpty(schema)) return NO_PARAMETERS;
      const zod = normalizeObjectSchema(schema as Zod) ?? (schema as NonNullable<Zod>);
      if (!('~standard' in zod)) {
        throw new Error(
          'A guarded MCP tool needs a zod schema or an object of zod schemas as `inputSchema`, such as { order: z.string() }.',
        );
      }
      const json = (): Record<string, unknown> =>
        toJsonSchemaCompat(zod as never, { strictUnions: true, pipeStrategy: 'input' });
      const own = (zod as unknown as StandardSchema)['~standard'];
      const validate = (value: unknown) => own.validate(value);
      return { '~standard': { version: 1, vendor: own.vendor, validate, jsonSchema: { input: json } } };
    },
    shown: (schema) => {
      const open = objectFromShape({}) as unknown as { readonly _zod: OpenZod };
      open._zod.run = (payload) => payload;
      open._zod.toJSONSchema = () => ({ ...(schema ?? NO_PARAMETERS) });
      return open;
    },
  };
}

/** How a zod schema parses, and how it is written as JSON Schema. */
interface OpenZod {
  run: (payload: { value: unknown; issues: unknown[] }) => { value: unknown; issues: unknown[] };
  toJSONSchema: () => unknown;
}

async function load() {
  try {
    return await Promise.all([
      import('@modelcontextprotocol/sdk/server/zod-compat.js'),
      import('@modelcontextprotocol/sdk/server/zod-json-schema-compat.js'),
    ]);
  } catch (cause) {
    throw new Error(
      'nest-guardrails/mcp needs the package of the server. Run: npm install @modelcontextprotocol/sdk@1',
      {
        cause,
      },
    );
  }
}
