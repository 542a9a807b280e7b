import { id as positiveInteger, pattern, text, type JsonSchema } from '#contracts/common/schema.js';

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
  return members.map(([name, { description, examples, ...own }]) => ({
    name,
    in: 'query',
    description: String(description),
    schema: own,
    ...(Array.isArray(examples) && { example: examples[0] as unknown }),
  }));
}

const IN_PATH: Readonly<Record<string, Omit<Parameter, 'name' | 'in'>>> = {
  id: { description: 'The id of an entry, a hold or a freeze.', schema: positiveInteger, example: 4711 },
  approval_id: { description: 'The id of an approval.', schema: positiveInteger, example: 12 },
  name: { description: 'The name of a sink.', schema: pattern('^[a-z][a-z0-9_-]{0,39}$'), example: 'siem' },
  token: {
    description:
      'The token of an approval, from the list of pending ones or from the notifier. Keep it out of logs.',
    schema: pattern('^[A-Za-z0-9_-]{43}$'),
    example: 'tq0pXkFJ1Tg2m8wWZ5l4zq7JrYc9uVhBnDs3aEo6KiM',
  },
};

export function pathParameters(path: string): readonly Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const facts = IN_PATH[name];
    if (facts === undefined)
      throw new Error(`The path parameter ${name} has no description. Add it to IN_PATH.`);
    return { name, in: 'path', required: true, ...facts };
  });
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
