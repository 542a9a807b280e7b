/** The schema of a body, from the validators of its DTO. */
import type { Type } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { type JsonSchema, nullable, object, optional } from '#contracts/common/schema.js';
import type { RouteDescription } from './route-description.js';

const MEMBERS = Symbol('nest-guardrails members of a body');

type Members = Readonly<
  Record<string, { readonly description: string; readonly example: unknown; readonly schema: JsonSchema }>
>;

/**
 * A member of a body, as the OpenAPI document describes it.
 *
 * @param schema what the validators do not say
 */
export function Member(description: string, example?: unknown, schema: JsonSchema = {}): PropertyDecorator {
  return (dto, name) => {
    const others = (Reflect.getMetadata(MEMBERS, dto) ?? {}) as Members;
    Reflect.defineMetadata(MEMBERS, { ...others, [name]: { description, example, schema } }, dto);
    Expose()(dto, name);
  };
}

/** What a validator of class-validator means in JSON Schema. */
const MEANINGS: Readonly<Record<string, (constraint: unknown) => JsonSchema>> = {
  isIn: (choices) => ({ type: 'string', enum: choices }),
  isObject: () => ({ type: 'object' }),
  isString: () => ({ type: 'string' }),
  minLength: (minLength) => ({ minLength }),
  maxLength: (maxLength) => ({ maxLength }),
  matches: (expression) => ({ pattern: (expression as RegExp).source }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  min: (minimum) => ({ minimum }),
  max: (maximum) => ({ maximum }),
  isOptional: () => ({}),
};

function meaningOf(validator = ''): (constraint: unknown) => JsonSchema {
  const meaning = MEANINGS[validator];
  if (meaning === undefined)
    throw new Error(`The validator ${validator} has no meaning in JSON Schema. Add it.`);
  return meaning;
}

export function bodyOf(type: Type): NonNullable<RouteDescription['body']> {
  const members = Object.entries((Reflect.getMetadata(MEMBERS, type.prototype as object) ?? {}) as Members);
  const validators = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
  const isOptional = (name: string): boolean =>
    validators.some((validator) => validator.propertyName === name && validator.name === 'isOptional');
  const schemaOf = (name: string, own: JsonSchema): JsonSchema => {
    const its = validators.filter((validator) => validator.propertyName === name);
    const schema = Object.assign(
      {},
      own,
      ...its.map((validator) =>
        meaningOf(validator.name)((validator.constraints as unknown[] | undefined)?.[0]),
      ),
    ) as JsonSchema;
    return isOptional(name) ? nullable(schema) : schema;
  };
  return {
    schema: object(
      Object.fromEntries(
        members.map(([name, { description, schema }]) => {
          const its = { ...schemaOf(name, schema), description };
          return [name, isOptional(name) ? optional(its) : its];
        }),
      ),
    ),
    example: Object.fromEntries(
      members.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])),
    ),
  };
}
