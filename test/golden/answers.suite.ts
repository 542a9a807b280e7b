import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Call } from '../http/support/client.js';
import { ROUTE_KEYS } from '#contracts/api/api.routes.js';
import { BODIES, EFFECTS, TEXT_VALUES, WITH_FILTER } from './cases.js';
import { compareWithGolden, flatJson } from './golden.js';
import { Scene } from './scene.js';
import { stableJson, stableLines, stableText } from './stable.js';

type Schema = Readonly<{
  type?: string | readonly string[];
  enum?: readonly string[];
  pattern?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
}>;

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

interface Route {
  /** Without `guardrails.api.`, such as `audit.index`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly body: Schema | null;
}

type Json = Readonly<Record<string, unknown>>;

const ROLES = { 'without authentication': null, 'as a visitor': 'visitor', 'without an actor': 'nameless' };
const READER = { 'as a reader': 'reader' };
/** Headers that most answers have with these values; others are recorded. */
const USUAL: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'golden',
};
/** Headers of the connection, and such as depend on measured values. */
const NOT_CONTRACT = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']);

/**
 * Calls every route of the OpenAPI document, which the route table makes, on the data of the scene, and compares the
 * answers. First all reads, then exports (they leave change records), then writes with their effects.
 */
export function describeAnswers(kind: 'memory' | 'postgres'): void {
  describe(`golden answers over ${kind}`, () => {
    const records = new Map<string, Record<string, unknown>>();
    let recorder: Recorder;
    let scene: Scene;

    beforeAll(async () => {
      scene = await Scene.open(kind);
      recorder = new Recorder(scene, records);
      await recorder.run();
    });

    afterAll(() => scene.close());

    it.each(RESOURCES)('of %s', (resource) => {
      compareWithGolden(`answers/${resource}.txt`, records.get(resource) ?? {});
    });

    it('cover every resource', () => {
      expect([...records.keys()].toSorted()).toEqual(RESOURCES.toSorted());
    });
  });
}

/** One golden file each. */
const RESOURCES = [...new Set(['openapi', ...ROUTE_KEYS.map(resourceOf)])];

function resourceOf(key: string): string {
  return key.replace(/\..*/, '');
}

class Recorder {
  private records: Record<string, unknown> = {};
  private routes: readonly Route[] = [];
  private template: readonly [path: string, template: string] = ['', ''];

  constructor(
    private readonly scene: Scene,
    private readonly files: Map<string, Record<string, unknown>>,
  ) {}

  async run(): Promise<void> {
    await this.scene.delivered();
    await this.document();
    const reads = this.routes.filter(({ method }) => method === 'GET');
    const isExport = ({ path }: Route): boolean => path.startsWith('/export/');
    for (const route of reads.filter((one) => !isExport(one))) await this.read(route);
    for (const route of reads.filter(isExport)) {
      await this.scene.extendLog();
      await this.read(route);
    }
    for (const route of this.routes.filter(({ method }) => method !== 'GET')) await this.write(route);
  }

  private async document(): Promise<void> {
    const answer = await this.scene.host.raw('GET', '/guardrails/openapi.json', {
      headers: { 'x-request-id': 'golden' },
    });
    this.open('openapi');
    this.records['GET /openapi.json'] = recorded(answer, true);
    const { paths } = answer.body as unknown as { paths: Record<string, Record<string, Operation>> };
    this.routes = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([method, { operationId, parameters, requestBody }]) => ({
        key: operationId.replace('guardrails.api.', ''),
        method: method.toUpperCase(),
        path,
        query: parameters.filter((one) => one.in === 'query'),
        body: requestBody?.content['application/json'].schema ?? null,
      })),
    );
  }

  private open(key: string): void {
    const resource = resourceOf(key);
    this.records = this.files.get(resource) ?? {};
    this.files.set(resource, this.records);
  }

  private async read(route: Route): Promise<void> {
    this.open(route.key);
    const path = await this.filled(route.path);
    this.shownAs(path, route.path);
    if (route.key === 'events.stream') return this.stream(path);
    await this.ask('', 'GET', path, {}, true);
    await this.refusals(route, path);
    for (const parameter of route.query)
      for (const value of [...valuesOf(parameter), malformed(parameter)])
        await this.ask(
          '',
          'GET',
          `${path}?${parameter.name}=${encodeURIComponent(value)}${WITH_FILTER[parameter.name] ?? ''}`,
        );
    const [first] = route.query;
    if (first === undefined) return;
    const [one, two = one] = [...valuesOf(first), malformed(first)];
    await this.ask('repeated', 'GET', `${path}?${first.name}=${one}&${first.name}=${two}`);
    await this.ask('as a list', 'GET', `${path}?${first.name}[]=${one}&surprise=1`);
    if (route.query.some(({ name }) => name === 'cursor')) await this.walk(path);
  }

  /** Three pages of a list, and what is newer than its third page. */
  private async walk(path: string): Promise<void> {
    const filter = path === '/audit' ? '&control=all' : '';
    let cursor = '';
    for (let page = 1; page <= 3; page++) {
      const answer = await this.ask(`page ${page}`, 'GET', `${path}?limit=2${filter}${cursor}`);
      const next = (answer.body.data as { next_cursor?: number | null }).next_cursor ?? null;
      if (next === null) return;
      cursor = `&cursor=${next}`;
    }
    await this.ask('newer', 'GET', `${path}?limit=2${filter}${cursor.replace('cursor', 'after')}`);
    await this.ask('cursor and after', 'GET', `${path}?cursor=5&after=5`);
  }

  private async refusals({ path: template, method }: Route, path: string, call: Call = {}): Promise<void> {
    const roles = method === 'GET' ? ROLES : { ...ROLES, ...READER };
    for (const [name, as] of Object.entries(roles)) await this.ask(name, method, path, { ...call, as });
    if (!template.includes('{')) return;
    for (const unknown of ['999999', '0', 'abc', '%E0%A4%A'])
      await this.ask('', method, template.replace(/\{\w+\}/, unknown), call);
  }

  private async write(route: Route): Promise<void> {
    this.open(route.key);
    const { method, key, body } = route;
    const valid = BODIES[key] ?? [];
    const [first] = valid;
    if (body !== null && first === undefined) throw new Error(`test/golden/cases.ts has no body for ${key}`);
    const path = await this.filled(route.path);
    this.shownAs(path, route.path);
    await this.refusals(route, path, first === undefined ? {} : { body: first });
    if (first !== undefined) {
      const wrong = wrongBodies(body ?? {}, first as Json);
      for (const [name, sent] of Object.entries(wrong)) await this.ask(name, method, path, { body: sent });
      const text = { body: 'text', headers: { 'content-type': 'text/plain' } };
      await this.ask('of another type', method, path, text);
    }
    if (key === 'settings.update') await this.conditions(path, first);
    const sent = first === undefined ? [undefined, undefined] : [...valid, { ...first, surprise: 1 }];
    for (const [index, one] of sent.entries()) await this.effect(route, one, index === 0 ? 'first' : 'again');
  }

  /** Sends a body, and reads what it changed. */
  private async effect({ key, method, path }: Route, body: object | undefined, note: string): Promise<void> {
    await this.scene.advance(1000);
    const target = await this.target(path);
    this.shownAs(target.path, path);
    const name = body === undefined ? '' : ` with ${flatJson(body).slice(0, 300)}`;
    await this.ask(name.trim() || note, method, target.path, { body });
    await this.scene.delivered();
    for (const effect of EFFECTS[key] ?? [])
      await this.ask(
        `after ${method} ${path}${name || ` ${note}`}`,
        'GET',
        filledWith(effect, target.values),
      );
  }

  private async conditions(path: string, body: object | undefined): Promise<void> {
    const { headers } = await this.scene.host.get(path);
    for (const [name, etag] of Object.entries({ 'another ETag': '"other"', 'the ETag': headers.etag ?? '' }))
      await this.ask(`if ${name} matches`, 'PUT', path, { body, headers: { 'if-match': etag } });
  }

  private async stream(path: string): Promise<void> {
    for (const [name, as] of Object.entries({ ...ROLES, ...READER }))
      if (as === null || as === 'visitor') await this.ask(name, 'GET', path, { as });
    await this.ask('', 'GET', `${path}?names=nothing`);
    await this.ask('from a wrong place', 'GET', path, { headers: { 'last-event-id': 'x' } });
    const { sequence } = (await this.scene.host.get('/me')).body.data as unknown as { sequence: number };
    const frames = await this.scene.frames(0, sequence);
    this.records[`GET ${path} with Last-Event-ID: 0`] = stableLines(frames);
  }

  /** Names of cases have the template of the path, because ids change when cases are added. */
  private shownAs(path: string, template: string): void {
    this.template = [path, template];
  }

  private async filled(path: string): Promise<string> {
    return (await this.target(path)).path;
  }

  /** The path with the newest row for each parameter, and these rows. */
  private async target(path: string): Promise<{ readonly path: string; readonly values: Json }> {
    const values: Record<string, string> = { name: path.includes('/dead') ? 'retired' : 'siem' };
    if (path.startsWith('/audit/{id}')) values['id'] = await this.newest('/audit?blocked=1', 'entries', 'id');
    if (path.startsWith('/freeze/{id}'))
      values['id'] = await this.newest('/freeze?active=1', 'freezes', 'id');
    if (path.startsWith('/holds/{id}')) values['id'] = await this.newest('/holds?active=1', 'holds', 'id');
    if (path.startsWith('/approvals/{')) {
      await this.scene.park();
      values['approval_id'] = await this.newest('/approvals', 'pending', 'approval_id');
      values['token'] = await this.newest('/approvals', 'pending', 'token');
    }
    return { path: filledWith(path, values), values };
  }

  private async newest(path: string, list: string, member: string): Promise<string> {
    const data = (await this.scene.host.get(path)).body.data as Readonly<Record<string, readonly Json[]>>;
    return String(data[list]?.[0]?.[member]);
  }

  /** Records the answer, with the request as its title. */
  private async ask(
    note: string,
    method: string,
    path: string,
    call: Call = {},
    whole = false,
  ): Promise<Answer> {
    const base = /^\/(export|metrics|events($|\?))/.test(path) ? '/guardrails' : '/guardrails/api';
    const headers = { 'x-request-id': 'golden', ...call.headers };
    const answer = await this.scene.host.raw(method, `${base}${path}`, { ...call, headers });
    const [was, is] = this.template;
    const name = stableText(`${method} ${shortened(path.replace(was, is))}${note && ` ${note}`}`);
    if (name in this.records) throw new Error(`two golden cases have the name ${name}`);
    this.records[name] = recorded(answer, whole);
    return answer;
  }
}

function filledWith(path: string, values: Json): string {
  return path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => (values[name] ?? TEXT_VALUES[name]?.[0]) as string,
  );
}

function recorded({ status, headers, text }: Answer, whole: boolean): unknown {
  const isJson = (headers['content-type'] ?? '').startsWith('application/json');
  const unusual = Object.entries({ ...blank(USUAL), ...headers }).filter(
    ([name, value]) => !NOT_CONTRACT.has(name) && value !== USUAL[name],
  );
  const body = isJson ? (stableJson(JSON.parse(text)) as object) : stableLines(text);
  return {
    status,
    ...(unusual.length > 0 && { headers: Object.fromEntries(unusual) }),
    body: whole ? body : summary(body),
  };
}

const blank = (names: object): object => Object.fromEntries(Object.keys(names).map((name) => [name, null]));

/** A long list as its first two rows, the ids of the others, and a hash. The plain request of a route has all rows. */
function summary(value: unknown): unknown {
  const ids = Array.isArray(value) ? (value as readonly (Json | string)[]).map(idOf) : [];
  if (Array.isArray(value) && ids.length > 3 && !ids.includes(undefined) && flatJson(value).length > 2500) {
    const hash = createHash('sha256').update(flatJson(value)).digest('hex').slice(0, 16);
    return [...value.slice(0, 2), { more: ids.slice(2).join(' '), hash }];
  }
  if (Array.isArray(value)) return value.map(summary);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, summary(item)]));
}

/** Of a row as JSON or as CSV. */
function idOf(row: Json | string | null): unknown {
  if (typeof row === 'string') return /^(?:\d+|id)(?=,)/.exec(row)?.[0];
  return row?.['id'] ?? row?.['approval_id'] ?? row?.['sequence'];
}

function valuesOf({ name, schema }: Parameter): readonly string[] {
  if (schema.enum) return schema.enum;
  if (schema.type === 'boolean') return ['true', '0'];
  if (schema.type === 'integer') return name === 'limit' ? ['1', '500'] : ['5'];
  const values = TEXT_VALUES[name];
  if (values === undefined) throw new Error(`test/golden/cases.ts has no value of the parameter ${name}`);
  return values;
}

function malformed({ schema }: Parameter): string {
  if (schema.enum) return 'nonsense';
  if (schema.type === 'boolean') return 'maybe';
  if (schema.type === 'integer') return '-1';
  return schema.pattern?.includes('d{4}') ? '2026-02-30' : 'x'.repeat(501);
}

/** Bodies of a wrong form, by what is wrong. */
function wrongBodies(schema: Schema, valid: Json): Readonly<Record<string, unknown>> {
  const members = Object.entries(schema.properties ?? {});
  const without = (name: string): Json =>
    Object.fromEntries(Object.entries(valid).filter(([member]) => member !== name));
  return {
    'without a body': undefined,
    'with half a body': '{"a":',
    'with a list': [valid],
    ...Object.fromEntries((schema.required ?? []).map((name) => [`without ${name}`, without(name)])),
    ...Object.fromEntries(
      members.map(([name, { type }]) => {
        const takesObjects = type === undefined ? false : [type].flat().includes('object');
        return [`with a wrong ${name}`, { ...valid, [name]: takesObjects ? 'text' : { wrong: 1 } }];
      }),
    ),
  };
}

function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 150)}… (${text.length})` : text;
}
