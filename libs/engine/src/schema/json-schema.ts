import { compileFunction } from 'node:vm';
import { Ajv, type AnySchemaObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import equal from 'ajv/dist/runtime/equal.js';
import unevaluatedProperties from 'ajv/dist/vocabularies/unevaluated/unevaluatedProperties.js';
import type { JsonSchema } from '#contracts/firewall/firewall.js';
import { canonicalJson } from '../json/plain-json.js';
import { LinearRegex } from '../patterns/linear-regex.js';
import { JUDGE_2020 } from './draft-2020.data.js';

type FormatCheck = (text: string) => boolean;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const EMAIL = /^[^\s@<>"(),:;[\]\\]{1,64}@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const WEEKS = /^P\d{1,9}W$/;
const DURATION =
  /^P(?=\d|T\d)(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}D)?(?:T(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}(?:[.,]\d{1,9})?S)?)?$/;
const OCTET = /^(?:0|[1-9]\d{0,2})$/;

function isDate(text: string) {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const leap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= days;
}

function isUri(text: string) {
  return !/[\s\p{Cc}<>"\\^`{|}]/u.test(text) && URL.canParse(text);
}

/** The supported formats, each with a bounded check. Other formats are annotations. */
export const SCHEMA_FORMATS: Readonly<Record<string, FormatCheck>> = {
  date: isDate,
  'date-time': (text) =>
    isDate(text.slice(0, 10)) && /^[Tt ]$/.test(text.charAt(10)) && TIME.test(text.slice(11)),
  duration: (text) => DURATION.test(text) || WEEKS.test(text),
  hostname: (text) => text.length <= 253 && text.split('.').every((label) => LABEL.test(label)),
  email: (text) => text.length <= 254 && EMAIL.test(text),
  uri: isUri,
  uuid: (text) => UUID.test(text),
  ipv4: (text) => {
    const octets = text.length <= 15 ? text.split('.') : [];
    return octets.length === 4 && octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255);
  },
};

const DRAFT_2020 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** Replaces the validator's regular expressions by the linear-time engine. */
function linearPattern(source: string) {
  // The flag `g` keeps an empty pattern from being read as text without slashes. Unnecessary escapes are permitted without `u`.
  const pattern = LinearRegex.compile(`/${source}/g`, { admitEmpty: true });
  // The validator caches compiled patterns by this name.
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

/** Check schemas; created on first use. Compiling the one of draft 2020-12 takes 40 ms, so it is prepared. */
let judge7: ValidateFunction | undefined;
let judge2020: ValidateFunction | undefined;

function judgeOf(draft: 7 | 2020): ValidateFunction {
  if (draft === 7) return (judge7 ??= new Ajv(OPTIONS).getSchema('http://json-schema.org/draft-07/schema')!);
  return (judge2020 ??= compileFunction(JUDGE_2020, ['equal', 'linearPattern'])(
    equal.default,
    linearPattern,
  ));
}

/**
 * Compiles a schema of draft 2020-12, or of draft-07 by its `$schema`. References must be within the schema;
 * nothing is fetched.
 *
 * @throws where the schema is invalid, refers to another document, or contains a pattern that cannot run in linear
 * time.
 */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  const draft = draftOf(schema);
  // Each schema has its own validator. A shared one would keep every schema, and refuse equal `$id`s.
  const options: Options = { ...OPTIONS, meta: false, validateSchema: false };
  const validator =
    draft === 7
      ? new Ajv({ ...options, unevaluated: true }).addKeyword(unevaluatedProperties.default)
      : new Ajv2020(options);
  validator.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, items: readonly unknown[]) => !unique || areUnique(items),
    errors: false,
  });
  const judge = judgeOf(draft);
  if (!judge(schema)) {
    const why = validator.errorsText(judge.errors?.slice(0, 1), { dataVar: 'schema' });
    throw new TypeError(`it is not a valid JSON Schema: ${why}`);
  }
  const validate = validator.compile(withoutDialect(schema));
  if ('$async' in validate)
    throw new TypeError('The schema is asynchronous; only synchronous schemas are supported.');
  return validate;
}

function draftOf({ $schema }: JsonSchema) {
  if ($schema === undefined || (typeof $schema === 'string' && DRAFT_2020.test($schema))) return 2020;
  if (typeof $schema === 'string' && DRAFT_07.test($schema)) return 7;
  throw new TypeError('The schema must be of draft 2020-12 or draft-07.');
}

function withoutDialect(schema: JsonSchema): AnySchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$schema'));
}

/** Compares canonical forms; comparing pairs would take quadratic time. */
function areUnique(items: readonly unknown[]) {
  return new Set(items.map((item) => canonicalJson(item))).size === items.length;
}
