/** Members of bodies: what class-validator checks of them, and what the OpenAPI document says of them. */
import { Expose } from 'class-transformer';
import {
  getMetadataStorage,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { type JsonSchema, nullable, object, optional as optionalMember } from '#contracts/common/schema.js';

export type BodyType = new () => object;

type Validators = readonly PropertyDecorator[];

export const anyValue: Validators = [];
export const flag: Validators = [IsBoolean({ message: 'must be true or false' })];
export const someText = (message = 'must be a string'): Validators => [IsString({ message })];
export const positive = (message = 'must be a positive integer'): Validators => [
  IsInt({ message }),
  Min(1, { message }),
  Max(Number.MAX_SAFE_INTEGER, { message }),
];
export const objectOf = (members: string): Validators => [
  IsObject({ message: `must be an object ${members}` }),
];
export const choice = (choices: readonly string[]): Validators => [
  IsIn(choices, { message: `must be one of ${choices.join(', ')}` }),
];

/** @param blank why a text of blanks only is refused; without it, blanks are accepted */
export function shortText(most: number, blank?: string): Validators {
  const length = MaxLength(most, { message: `must have at most ${most} characters` });
  return [...someText(), ...(blank === undefined ? [] : [Matches(/\S/, { message: blank })]), length];
}

export const notEmpty = (most: number): Validators => [
  ...shortText(most),
  MinLength(1, { message: 'must not be empty' }),
];

/** Also accepts `null`. */
export const optional = (validators: Validators): Validators => [...validators, IsOptional()];

interface DescribedMember {
  readonly description: string;
  readonly example: unknown;
  readonly schema: JsonSchema;
}

const members = new WeakMap<object, ReadonlyMap<string, DescribedMember>>();

/**
 * A member of a body.
 *
 * @param schema what the validators do not say
 */
export function Member(
  description: string,
  validators: Validators,
  example?: unknown,
  schema: JsonSchema = {},
): PropertyDecorator {
  return (body, name) => {
    members.set(
      body,
      new Map([...(members.get(body) ?? []), [String(name), { description, example, schema }]]),
    );
    for (const decorate of [Expose(), ...validators]) decorate(body, name);
  };
}

const closed = new WeakSet<object>();

/** Marks a body that refuses members it does not declare. `actor` is ignored: the actor comes from the gate. */
export function RefuseUnknownMembers(): ClassDecorator {
  return (body) => void closed.add(body);
}

export function refusesUnknownMembers(body: object): boolean {
  return closed.has(body);
}

/** What a validator means in JSON Schema. */
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

/** The schema and the example of a body, for the OpenAPI document. */
export function describeBody(body: BodyType): { readonly schema: JsonSchema; readonly example: unknown } {
  const described = [...(members.get(body.prototype as object) ?? [])];
  const validators = getMetadataStorage().getTargetValidationMetadatas(body, '', true, false);
  const properties = described.map(([name, { description, schema }]) => {
    const own = validators.filter(({ propertyName }) => propertyName === name);
    const meanings = own.map(({ name: validator = '', constraints }) => {
      const meaning = MEANINGS[validator];
      if (meaning === undefined)
        throw new Error(`The validator ${validator} has no meaning in JSON Schema. Add it.`);
      return meaning((constraints as readonly unknown[] | undefined)?.[0]);
    });
    const whole = Object.assign({}, schema, ...meanings) as JsonSchema;
    return own.some(({ name: validator }) => validator === 'isOptional')
      ? [name, optionalMember({ ...nullable(whole), description })]
      : [name, { ...whole, description }];
  });
  const examples = described.filter(([, { example }]) => example !== undefined);
  return {
    schema: object(Object.fromEntries(properties) as Parameters<typeof object>[0]),
    example: Object.fromEntries(examples.map(([name, { example }]) => [name, example])),
  };
}
