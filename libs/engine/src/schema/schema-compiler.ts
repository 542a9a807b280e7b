import { Ajv, type AnySchemaObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import unevaluatedProperties from 'ajv/dist/vocabularies/unevaluated/unevaluatedProperties.js';
import type { JsonSchema } from '../../../contracts/src/firewall.js';
import { LinearRegex } from '../patterns/linear-regex.js';
import { canonicalJson } from '../json/canonical-json.js';
import { SCHEMA_FORMATS } from './schema-formats.js';

const DRAFT_2020 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** The validator's own patterns are V8's, and a schema may bring any: here they run in linear time or not at all. */
function linearPattern(source: string): { test(text: string): boolean } {
  // Any flag keeps an empty pattern from reading as a bare one; without `u`, needless escapes are forgiven.
  const pattern = LinearRegex.compile(`/${source}/g`, { admitEmpty: true });
  // The validator shares compiled patterns by this name.
  return { test: (text) => pattern.test(text), toString: () => pattern.pattern } as {
    test(text: string): boolean;
  };
}
linearPattern.code = 'linearPattern';

const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  strictNumbers: true,
  ownProperties: true,
  addUsedSchema: false,
  logger: false,
  formats: { ...SCHEMA_FORMATS },
  code: { regExp: linearPattern },
};

/** Only these look at a schema before it is compiled; they keep nothing of it. */
const judges = { 2020: new Ajv2020(OPTIONS), 7: new Ajv(OPTIONS) } as const;

/**
 * Compiles a schema of draft 2020-12, or of draft-07 where its `$schema` says so. Nothing is fetched: a reference
 * must lead to a place in the schema itself.
 *
 * @throws where the schema is not one, refers elsewhere, or holds a pattern that cannot run in linear time.
 */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const draft = draftOf(schema);
  const judge = judges[draft];
  if (judge.validateSchema(schema) !== true) throw new TypeError('The schema is not a valid JSON Schema.');
  // A validator of its own for each schema: a shared one would keep every schema for ever, and refuse equal `$id`s.
  const options: Options = { ...OPTIONS, meta: false, validateSchema: false };
  const validator =
    draft === 7 ? withUnevaluated(new Ajv({ ...options, unevaluated: true })) : new Ajv2020(options);
  validator.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, items: readonly unknown[]) => !unique || areUnique(items),
    errors: false,
  });
  const validate = validator.compile(withoutDialect(schema));
  if ('$async' in validate) throw new TypeError('An asynchronous schema judges nothing in time.');
  return validate;
}

function draftOf({ $schema }: JsonSchema): 7 | 2020 {
  if ($schema === undefined || (typeof $schema === 'string' && DRAFT_2020.test($schema))) return 2020;
  if (typeof $schema === 'string' && DRAFT_07.test($schema)) return 7;
  throw new TypeError('The schema must be of draft 2020-12 or draft-07.');
}

function withUnevaluated(validator: Ajv): Ajv {
  validator.addKeyword(unevaluatedProperties.default);
  return validator;
}

function withoutDialect(schema: JsonSchema): AnySchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$schema'));
}

/** Compares by canonical form, once each; comparing pairs would take the square of the list. */
function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => canonicalJson(item))).size === items.length;
}
