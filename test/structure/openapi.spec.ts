import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { API_ROUTES, ROUTE_KEYS, routeName } from '#contracts/api/api.routes.js';
import { ERROR_CODES, type ErrorCode } from '#contracts/common/errors.js';
import { ERROR_STATUS } from '#src/http/error.filter.js';
import { openApiDocument } from '#src/admin-api/openapi-document.js';
import { PACKAGE_VERSION } from '#src/admin-api/openapi.controller.js';
import {
  DocumentedAnswers,
  type ApiDocument,
  type DocumentedResponse,
} from '../http/support/documented-answers.js';

const built = openApiDocument({ prefix: 'guardrails/api', version: '1.2.3' });
const document = JSON.parse(JSON.stringify(built)) as ApiDocument;
const answers = new DocumentedAnswers(document);

const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([method, operation]) => ({ path, method, operation })),
);

interface Media {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

function examplesOf({ example, examples = {} }: Media): readonly unknown[] {
  return [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)];
}

const asText = (route: readonly string[]): string => route.join(' ');

function codesOf(response: string): readonly string[] {
  const media: Media | undefined = document.components.responses[response]?.content['application/json'];
  return Object.keys(media?.examples ?? {});
}

function assertInline(response: unknown): asserts response is DocumentedResponse {
  expect(response).toHaveProperty('content');
}

function referencesIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === '$ref' ? [String(value)] : referencesIn(value),
  );
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)).toEqual(
      { valid: true },
    );
    expect(validator.version).toBe('3.1');
  });

  it('has exactly the routes of the list, under their names', () => {
    const documented = operations.map(({ path, method, operation }) => [method, path, operation.operationId]);
    const listed = ROUTE_KEYS.map((key) => [
      API_ROUTES[key].method.toLowerCase(),
      API_ROUTES[key].path.replaceAll(/:(\w+)/g, '{$1}'),
      routeName(key),
    ]);
    expect(new Set(documented.map(asText))).toEqual(new Set(listed.map(asText)));
    expect(documented).toHaveLength(listed.length);
    expect(new Set(documented.map(([, , name]) => name)).size).toBe(ROUTE_KEYS.length);
  });

  it('declares every parameter of a path, and no parameter twice', () => {
    for (const { path, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      const all = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it('contains the version of the package', () => {
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    expect(PACKAGE_VERSION).toBe((JSON.parse(manifest) as { readonly version: string }).version);
  });

  it('has no broken reference', () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references) {
      const target = reference
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document);
      expect([reference, typeof target]).toEqual([reference, 'object']);
    }
  });

  it('has an example of every request, answer and error that fits its own schema', () => {
    for (const { path, method, operation } of operations) {
      const place = ['paths', path, method];
      if (operation.requestBody !== undefined) {
        const media = operation.requestBody.content['application/json'];
        expect(examplesOf(media)).toHaveLength(1);
        for (const example of examplesOf(media)) {
          const where = [...place, 'requestBody', 'content', 'application/json', 'schema'];
          expect([path, answers.misfits(where, example)]).toEqual([path, []]);
        }
      }
      const [success, ...failures] = Object.values(operation.responses);
      assertInline(success);
      const [[type, media] = ['', {}]] = Object.entries(success.content);
      expect(examplesOf(media)).toHaveLength(1);
      for (const example of examplesOf(media)) {
        const where = [...place, 'responses', '200', 'content', type, 'schema'];
        expect([path, answers.misfits(where, example)]).toEqual([path, []]);
      }
      expect(failures.length).toBeGreaterThan(4);
      expect(failures.filter((failure) => !('$ref' in failure))).toEqual([]);
    }
    for (const [name, { content }] of Object.entries(document.components.responses)) {
      const media = content['application/json'];
      expect(examplesOf(media).length).toBeGreaterThan(0);
      for (const example of examplesOf(media)) {
        const where = ['components', 'responses', name, 'content', 'application/json', 'schema'];
        expect([name, answers.misfits(where, example)]).toEqual([name, []]);
      }
    }
  });

  it('has only parameter examples that are valid', () => {
    for (const { path, method, operation } of operations) {
      for (const [index, parameter] of operation.parameters.entries()) {
        const { example } = parameter as { readonly example?: unknown };
        const place = ['paths', path, method, 'parameters', String(index), 'schema'];
        if (example !== undefined)
          expect([parameter.name, answers.misfits(place, example)]).toEqual([parameter.name, []]);
      }
    }
  });

  it('documents every error code under its status', () => {
    const known = new Set<string>();
    for (const code of codesOf('WrongVerb')) known.add(code);
    for (const { operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!('$ref' in response)) continue;
        const codes = codesOf(response.$ref.split('/').at(-1) ?? '');
        expect(codes.length).toBeGreaterThan(0);
        if (status === '4XX') continue;
        for (const code of codes) {
          known.add(code);
          expect([code, ERROR_STATUS[code as ErrorCode]]).toEqual([code, Number(status)]);
        }
      }
    }
    expect(known).toEqual(new Set(ERROR_CODES));
  });

  it('refuses a field that is not documented, and one that is missing', () => {
    const place = [
      'paths',
      '/audit/trend',
      'get',
      'responses',
      '200',
      'content',
      'application/json',
      'schema',
    ];
    const response = answers.operation('/audit/trend', 'GET').responses['200'];
    assertInline(response);
    const example = (response.content['application/json'] as Media).example as { readonly data: object };
    expect(answers.misfits(place, { ...example, data: { ...example.data, surprise: 1 } })).toHaveLength(1);
    expect(answers.misfits(place, { ...example, data: { ...example.data, points: undefined } })).not.toEqual(
      [],
    );
  });
});
