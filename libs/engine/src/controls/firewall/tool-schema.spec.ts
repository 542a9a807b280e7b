import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import type { JsonSchema, ToolArguments } from '#contracts/firewall/firewall.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { compileError, violationsOf } from './tool-schema.js';

const strict = new Settings(DEFAULT_SETTINGS);
const lenient = new Settings({ ...DEFAULT_SETTINGS, 'tool_firewall.reject_unknown_arguments': false });
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

function violations(parameters: JsonSchema, args: ToolArguments, settings = strict): Record<string, string> {
  return violationsOf(parameters, args, settings);
}

const UNUSABLE = { '(schema)': 'the schema of the tool cannot be compiled, so no call can be checked' };

describe('checking arguments against a tool’s schema', () => {
  it('names each argument with a reason, and contains no value', () => {
    const parameters = {
      type: 'object',
      properties: {
        amount: { type: 'number', maximum: 100 },
        currency: { enum: ['EUR', 'USD'] },
        items: { type: 'array', uniqueItems: true, items: { properties: { price: { type: 'number' } } } },
        'a/b~c': { const: 1 },
        mail: { type: 'string', format: 'email' },
        code: { type: 'string', pattern: '^[A-Z]{3}$' },
      },
      required: ['amount', 'reason'],
    };
    const secret = 'hunter2';
    const found = violations(parameters, {
      amount: secret,
      currency: secret,
      items: [{ price: secret }, { price: 1 }, { price: 1.0 }],
      'a/b~c': secret,
      mail: secret,
      code: secret,
    });
    expect(found).toEqual({
      reason: 'is required',
      amount: 'must be a number',
      currency: 'must be one of the values that the tool declares',
      items: 'must not hold the same item twice',
      'items.0.price': 'must be a number',
      'a/b~c': 'must be the value that the tool declares',
      mail: 'must be a valid email',
      code: 'must match the pattern that the tool declares',
    });
    expect(JSON.stringify(found)).not.toContain(secret);
    expect(violations(parameters, { amount: 101, reason: '' })).toHaveProperty('amount', 'must be <= 100');
  });

  it('treats inherited names as missing', () => {
    expect(violations({ required: ['toString'] }, {})).toEqual({ toString: 'is required' });
  });

  it('validates draft-07 by its rules', () => {
    const tuple = { properties: { pair: { items: [{ type: 'string' }], additionalItems: false } } };
    expect(violations({ ...tuple, $schema: DRAFT_07 }, { pair: ['a'] })).toEqual({});
    expect(violations({ ...tuple, $schema: DRAFT_07 }, { pair: ['a', 1] })).toHaveProperty('pair');
    expect(violations(tuple, { pair: ['a'] })).toEqual(UNUSABLE);
    const prefixed = { properties: { pair: { prefixItems: [{ type: 'string' }], items: false } } };
    expect(violations(prefixed, { pair: ['a', 1] })).toHaveProperty('pair');
  });

  it.each([
    ['is not a schema', { type: 'numeric' }],
    ['is of another dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }],
    ['refers to another document', { $ref: 'https://schemas.example/tool.json' }],
    ['refers to nothing', { properties: { a: { $ref: '#/$defs/a' } } }],
    ['looks around', { properties: { a: { pattern: '(?=a)' } } }],
    ['refers back', { properties: { a: { pattern: '(a)\\1' } } }],
    ['has a pattern that is none', { properties: { a: { pattern: '(' } } }],
    ['judges later', { $async: true, properties: {} }],
  ])('refuses every call where the schema %s', (_, parameters) => {
    expect(violations(parameters, {})).toEqual(UNUSABLE);
    expect(violations(parameters, {}, lenient)).toEqual(UNUSABLE);
  });

  it.each<JsonSchema>([
    { type: 'objec' },
    { properties: 3 },
    { properties: { order: { type: ['string', 'text'] } } },
    { properties: { orders: { items: { minLength: -1 } } } },
    { required: 'order' },
    { required: ['order', 'order'] },
    { items: [{ type: 'string' }] },
    { $defs: { order: 1 } },
    { allOf: [] },
    { dependentRequired: { order: 3 } },
    { pattern: 3 },
    { multipleOf: 0 },
    { $id: '#order' },
    { $anchor: '1 order' },
    { if: { contains: { not: { enum: 'order' } } } },
  ])(
    'says what is wrong in a schema as ajv does; otherwise run `npm run x -- schemas:prepare`: %j',
    (schema) => {
      const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
      void ajv.validateSchema(schema);
      const why = ajv.errorsText(ajv.errors?.slice(0, 1), { dataVar: 'schema' });
      expect(compileError(schema)).toBe(`it is not a valid JSON Schema: ${why}`);
    },
  );

  it('refuses circular schemas, and schemas that exceed the stack', () => {
    const circle: Record<string, unknown> = { properties: {} };
    circle['properties'] = { a: circle };
    expect(violations(circle, {})).toEqual(UNUSABLE);
    expect(violations({ $ref: '#' }, {})).toHaveProperty('(schema)');
  });

  it('accepts two schemas with the same `$id`', () => {
    const one = { $id: 'https://a.example/tool', properties: { a: { type: 'string' } } };
    const two = { $id: 'https://a.example/tool', properties: { a: { type: 'number' } } };
    expect([violations(one, { a: 'x' }), violations(two, { a: 1 })]).toEqual([{}, {}]);
  });

  it('accepts unnecessary escapes in a pattern', () => {
    expect(violations({ properties: { a: { pattern: '^[\\w\\-\\.]+\\@x$' } } }, { a: 'ops-1@x' })).toEqual(
      {},
    );
  });

  it('accepts patterns that match the empty text', () => {
    expect(violations({ properties: { a: { pattern: '^[a-z]*$' } } }, { a: '' })).toEqual({});
    expect(violations({ properties: { a: { pattern: '^[a-z]*$' } } }, { a: 'A' })).toHaveProperty('a');
    expect(
      violations({ properties: { a: { pattern: '' }, b: { pattern: '^/x/$' } } }, { a: 'x', b: '/x/' }),
    ).toEqual({});
  });

  it('runs patterns in linear time', () => {
    const text = `${'a'.repeat(50_000)}!`;
    expect(violations({ properties: { a: { pattern: '^(a+)+$' } } }, { a: text })).toHaveProperty('a');
    expect(violations({ properties: { a: { pattern: '^(?:a|a)*b$' } } }, { a: text })).toHaveProperty('a');
    const many = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    expect(violations({ properties: { a: { uniqueItems: true } } }, { a: many })).toEqual({});
  });
});

describe('unknown arguments', () => {
  const undeclared = 'is not declared by the tool';

  it('are refused at any depth where a schema declares properties and no rule for others', () => {
    const parameters = {
      properties: {
        order: { properties: { id: {}, lines: { items: { properties: { sku: {} } } } } },
        free: { type: 'object' },
        open: { properties: { a: {} }, additionalProperties: true },
        typed: { properties: { a: {} }, additionalProperties: { type: 'number' } },
      },
    };
    const args = {
      extra: 1,
      order: { id: 1, extra: 1, lines: [{ sku: 1 }, { extra: 1 }] },
      free: { extra: 1 },
      open: { extra: 1 },
      typed: { extra: 1 },
    };
    expect(violations(parameters, args)).toEqual({
      extra: undeclared,
      'order.extra': undeclared,
      'order.lines.1.extra': undeclared,
    });
    expect(violations(parameters, args, lenient)).toEqual({});
  });

  it.each([undefined, DRAFT_07])(
    'exclude names that another part of a composition declares (%s)',
    ($schema) => {
      const parameters = {
        ...($schema === undefined ? {} : { $schema }),
        allOf: [{ properties: { a: {} } }, { $ref: '#/definitions/rest' }],
        anyOf: [{ properties: { c: { type: 'number' } }, required: ['c'] }, { properties: { d: {} } }],
        properties: { node: { $ref: '#/definitions/node' } },
        definitions: {
          rest: { properties: { b: {} } },
          node: {
            properties: { value: {}, children: { type: 'array', items: { $ref: '#/definitions/node' } } },
          },
        },
      };
      expect(violations(parameters, { a: 1, b: 1, c: 1, d: 1 })).toEqual({});
      expect(violations(parameters, { a: 1, e: 1 })).toEqual({ e: undeclared });
      const deep = { node: { value: 1, children: [{ value: 1 }, { children: [{ extra: 1 }] }] } };
      expect(violations(parameters, deep)).toEqual({ 'node.children.1.children.0.extra': undeclared });
    },
  );

  it('do not make a condition stricter', () => {
    const parameters = JSON.parse(`{
      "properties": { "address": { "type": "object" }, "vat": {} },
      "if": { "properties": { "address": { "properties": { "country": { "const": "DE" } }, "required": ["country"] } } },
      "then": { "required": ["vat"] },
      "not": {
        "properties": { "address": { "properties": { "blocked": { "const": true } }, "required": ["blocked"] } },
        "required": ["address"]
      }
    }`) as JsonSchema;
    expect(violations(parameters, { address: { country: 'DE', city: 'x' } })).toHaveProperty(
      'vat',
      'is required',
    );
    expect(violations(parameters, { address: { blocked: true, city: 'x' }, vat: 1 })).not.toEqual({});
  });

  it('are the only subject of the setting: declared arguments pass either way', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer()), (args) => {
        const parameters = { properties: { a: {}, b: {} } };
        const refused = Object.keys(violations(parameters, args));
        expect(refused).toEqual('c' in args ? ['c'] : []);
        expect(violations(parameters, args, lenient)).toEqual({});
      }),
    );
  });
});

describe('formats', () => {
  it.each([
    ['date', '2024-02-29', '2023-02-29'],
    ['date-time', '2024-02-29T23:59:59.5+01:00', '2024-02-29T24:00:00Z'],
    ['email', 'ops-1@mail.example', 'ops-1'],
    ['uri', 'https://a.example/x?y=1', '/x'],
    ['uuid', '123e4567-e89b-42d3-a456-426614174000', '123e4567e89b42d3a456426614174000'],
    ['duration', 'P1Y2M3DT4H5M6.5S', 'P'],
    ['duration', 'P4W', 'P1W2D'],
    ['hostname', 'mail.shop.example', 'mail.-shop.example'],
    ['ipv4', '203.0.113.7', '203.0.113.256'],
  ])('%s accepts %j and refuses %j', (format, good, bad) => {
    const parameters = { properties: { a: { type: 'string', format } } };
    expect(violations(parameters, { a: good })).toEqual({});
    expect(violations(parameters, { a: bad })).toEqual({ a: `must be a valid ${format}` });
  });

  it('ignores formats with another name', () => {
    expect(violations({ properties: { a: { format: 'phone-of-the-moon' } } }, { a: 'x' })).toEqual({});
  });
});
