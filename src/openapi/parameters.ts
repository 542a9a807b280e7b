import { ATTRIBUTES } from '#contracts/audit/entry.js';
import { equalTo } from '#contracts/common/query.js';
import { id as positiveInteger, pattern, text, type JsonSchema } from '#contracts/common/schema.js';

/** What the OpenAPI document says of parameters: those of paths and headers. Those of queries have schemas. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description: string;
  readonly required?: true;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** The parameters of a query's schema. */
export function parametersOf(schema: JsonSchema): readonly Parameter[] {
  const members = Object.entries(schema['properties'] as Readonly<Record<string, JsonSchema>>);
  return members.map(([name, member]) => ({ name, in: 'query', ...facts(member) }));
}

function facts({ description, examples, ...schema }: JsonSchema): PathParameters[string] {
  return {
    description: String(description),
    schema,
    ...(Array.isArray(examples) && { example: examples[0] as unknown }),
  };
}

/** A parameter of a path, by its name. */
export type PathParameters = Readonly<Record<string, Pick<Parameter, 'description' | 'schema' | 'example'>>>;

const IN_PATH: PathParameters = {
  id: { description: 'The id of an entry, a hold or a freeze.', schema: positiveInteger, example: 4711 },
  approval_id: { description: 'The id of an approval.', schema: positiveInteger, example: 12 },
  token: {
    description:
      'The token of an approval, from the list of pending ones or from the notifier. Keep it out of logs.',
    schema: pattern('^[A-Za-z0-9_-]{43}$'),
    example: 'tq0pXkFJ1Tg2m8wWZ5l4zq7JrYc9uVhBnDs3aEo6KiM',
  },
};

/**
 * The parameters of a path: as the handler describes them, as above, or like the attribute of an entry with that name.
 */
export function pathParameters(path: string, own: PathParameters = {}): readonly Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const parameter = own[name] ?? IN_PATH[name] ?? attribute(name);
    if (parameter === undefined)
      throw new Error(
        `The path parameter ${name} of ${path} has no description. Add it to @Answers, as a member of path.`,
      );
    return { name, in: 'path', required: true, ...parameter };
  });
}

function attribute(name: string): PathParameters[string] | undefined {
  const schema = (ATTRIBUTES as Readonly<Record<string, JsonSchema>>)[name];
  return schema && facts(equalTo(schema));
}

export const requestId: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  description:
    'Chosen by the client. It is returned with the answer and stored with the records of the request.',
  schema: pattern('^[\\w.:-]{1,128}$'),
  example: 'req-7f3a',
};

export const eventNames: Parameter = {
  name: 'names',
  in: 'query',
  description: 'Only events of these names, separated by commas.',
  schema: text,
  example: 'guardrails.approval.decided,guardrails.tool.parked',
};

export const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The `id:` of the last event that the client has. Without it, the stream starts with the next event.',
  schema: pattern('^(0|[1-9][0-9]{0,15})$'),
  example: '4711',
};

export const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of the settings that the change is based on. If other settings are in force, the answer is 412.',
  schema: text,
  example: '"5f2b8c1d9e4a7f30b6c2d8e1f4a79b35"',
};
