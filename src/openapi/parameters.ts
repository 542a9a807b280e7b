import { HISTORY_STATUSES } from '#contracts/approvals.js';
import { choice, id as positiveInteger, pattern, text, type JsonSchema } from './json-schema.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description: string;
  readonly required?: true;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

const DATE = '\\d{4}-\\d{2}-\\d{2}';
const TIME = '\\d{2}:\\d{2}(:\\d{2}(\\.\\d{3})?)?(Z|[+-]\\d{2}:\\d{2})?';
const instant = pattern(`^${DATE}(T${TIME})?$`);
const filterText = { ...text, minLength: 1, maxLength: 500 };

function query(name: string, description: string, schema: JsonSchema, example?: unknown): Parameter {
  return { name, in: 'query', description, schema, ...(example !== undefined && { example }) };
}

/** The parameters of a query's schema. */
export function parametersOf(schema: JsonSchema): readonly Parameter[] {
  const members = Object.entries(schema['properties'] as Readonly<Record<string, JsonSchema>>);
  return members.map(([name, { description, examples, ...own }]) =>
    query(name, String(description), own, (examples as readonly unknown[] | undefined)?.[0]),
  );
}

export const cursor = query('cursor', 'The `next_cursor` of the previous page.', positiveInteger, 4711);

export const after = query(
  'after',
  'Only newer rows: with a higher id than this one. Not together with `cursor`.',
  positiveInteger,
  4711,
);

export function limit(largest: number, fallback: number): Parameter {
  const schema = { type: 'integer', minimum: 1, default: fallback };
  return query(
    'limit',
    `Size of a page. Values above ${largest} are reduced to ${largest}.`,
    schema,
    fallback,
  );
}

export const from = query('from', 'Inclusive. Without an offset it is UTC.', instant, '2026-03-01');

export const to = query(
  'to',
  'Inclusive. A bare date includes that whole UTC day.',
  instant,
  '2026-03-31T12:00:00Z',
);

export function search(field: string): Parameter {
  return query(
    'q',
    `Literal text to find in ${field}; case-insensitive.`,
    filterText,
    'previous instructions',
  );
}

export const principalId = query(
  'principal_id',
  'The principal for whom the model ran.',
  filterText,
  'customer-42',
);
export const application = query('application', 'The calling application.', filterText, 'support-chat');
export const runId = query('run_id', 'The run of the model.', filterText, 'run-2f61');
export const tool = query('tool', 'The tool called.', filterText, 'refund');
export const fields = query(
  'fields',
  '`summary` leaves out the patterns and the examples, which are most of the answer.',
  choice(['summary']),
  'summary',
);

export const approvalStatus = query(
  'status',
  'The status of the approval. Default: all of them. `GET /approvals` lists the pending ones.',
  choice(HISTORY_STATUSES),
  'outcome_unknown',
);
export const actor = query(
  'actor',
  'Who voted, decided, or resolved an unknown outcome.',
  filterText,
  'ops-1',
);

const IN_PATH: Readonly<Record<string, Omit<Parameter, 'name' | 'in'>>> = {
  id: { description: 'The id of an entry or a hold.', schema: positiveInteger, example: 4711 },
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

export const eventNames = query(
  'names',
  'Only events of these names, separated by commas.',
  text,
  'guardrails.approval.decided,guardrails.tool.parked',
);

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
