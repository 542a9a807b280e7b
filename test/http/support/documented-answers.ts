import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Json = Readonly<Record<string, unknown>>;

export interface DocumentedResponse {
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content: { readonly 'application/json': Json };
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Json }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Json } };
  readonly responses: Readonly<Record<string, DocumentedResponse | { readonly $ref: string }>>;
}

/** The parts of an OpenAPI document that the tests read. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly schema: Json }>>;
    readonly responses: Readonly<Record<string, DocumentedResponse>>;
  };
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
}

/** Compares answers with the document, and refuses fields that the document does not name. */
export class DocumentedAnswers {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(private readonly document: ApiDocument) {
    this.ajv.addSchema(closed(document) as object, 'openapi');
  }

  operation(path: string, method: string): DocumentedOperation {
    const found = this.document.paths[path]?.[method.toLowerCase()];
    if (found === undefined) throw new Error(`${method} ${path} is not documented`);
    return found;
  }

  /** The differences between an answer and the document; empty if it conforms. */
  complaints(path: string, method: string, answered: Answered): readonly string[] {
    const { responses } = this.operation(path, method);
    const status = [String(answered.status), `${Math.floor(answered.status / 100)}XX`].find(
      (name) => name in responses,
    );
    const response = status === undefined ? undefined : responses[status];
    if (status === undefined || response === undefined) {
      return [`the status ${answered.status} is not documented`];
    }
    if ('$ref' in response) return this.complaintsAbout(response.$ref.split('/').at(-1) ?? '', answered);
    return this.compare(['paths', path, method.toLowerCase(), 'responses', status], response, answered);
  }

  /** Compares an answer with a response in the components. */
  complaintsAbout(component: string, answered: Answered): readonly string[] {
    const response = this.document.components.responses[component];
    if (response === undefined) throw new Error(`there is no response ${component}`);
    const { code } = (answered.body as { readonly data: { readonly error: { readonly code: string } } }).data
      .error;
    const codes = Object.keys(response.content['application/json']['examples'] as object);
    return [
      ...(codes.includes(code) ? [] : [`the code ${code} is not among ${codes.join(', ')}`]),
      ...this.compare(['components', 'responses', component], response, answered),
    ];
  }

  private compare(
    path: readonly string[],
    response: DocumentedResponse,
    { headers, body }: Answered,
  ): readonly string[] {
    const ofHeaders = Object.keys(response.headers).flatMap((name) => {
      const value = headers[name.toLowerCase()];
      return value === undefined
        ? [`the header ${name} is missing`]
        : this.misfits(['components', 'headers', name, 'schema'], value);
    });
    return [...ofHeaders, ...this.misfits([...path, 'content', 'application/json', 'schema'], body)];
  }

  /** Validates against the schema at this place of the document. */
  misfits(place: readonly string[], value: unknown): readonly string[] {
    const pointer = place.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
    const $ref = `openapi#/${pointer.join('/')}`;
    const validate = this.compiled.get($ref) ?? this.ajv.compile({ $ref });
    this.compiled.set($ref, validate);
    return validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
        );
  }
}

/** The document with `additionalProperties: false` in every object schema. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([name, value]) =>
    name === 'example' || name === 'examples' ? [name, value] : [name, closed(value)],
  );
  const { type, properties } = node as Json;
  const isObject = (Array.isArray(type) ? type : [type]).includes('object');
  const open = isObject && typeof properties === 'object' && !('additionalProperties' in node);
  return Object.fromEntries(open ? [...entries, ['additionalProperties', false]] : entries);
}
