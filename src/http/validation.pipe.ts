import { type ArgumentMetadata, type PipeTransform, Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { type BodyType, describeBody, refusesUnknownMembers } from '#bodies/member.js';
import { GuardrailsError, type FieldErrors } from '#contracts/common/errors.js';
import { isRecord } from '#contracts/common/text.js';

/** Converts a body to its DTO, or refuses it and names every member that is wrong. */
@Injectable()
export class BodyValidationPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' || metatype === undefined) return value;
    const bodyType = metatype as BodyType;
    // A missing body is an empty object.
    const body = value === undefined ? {} : value;
    if (!isRecord(body))
      throw new GuardrailsError(
        'invalid_body',
        `The request body is not a JSON object. Send an object such as ${JSON.stringify(describeBody(bodyType).example)}.`,
      );
    const input = convert(body, bodyType);
    const errors = await validate(input, { forbidUnknownValues: false, stopAtFirstError: true });
    const fields = [
      ...errors.map(({ property, constraints = {} }) => [property, Object.values(constraints)] as const),
      ...unknownMembers(body, input, bodyType),
    ];
    if (fields.length > 0) throw invalidBody(Object.fromEntries(fields));
    return input;
  }
}

/**
 * Converts scalars with class-transformer and assigns objects unchanged: class-transformer would call the
 * `constructor` member of an untyped object, and would drop some of its keys.
 */
function convert(body: Readonly<Record<string, unknown>>, type: BodyType): object {
  const isObject = ([, value]: readonly [string, unknown]) => typeof value === 'object' && value !== null;
  const members = Object.entries(body);
  const scalars = Object.fromEntries(members.filter((member) => !isObject(member)));
  const input = plainToInstance(type, scalars, { excludeExtraneousValues: true });
  return Object.assign(
    input,
    Object.fromEntries(members.filter((one) => isObject(one) && Object.hasOwn(input, one[0]))),
  );
}

export function invalidBody(fields: FieldErrors): GuardrailsError {
  return new GuardrailsError(
    'invalid_body',
    'Some members of the request body are invalid. Correct the members listed in fields.',
    { fields },
  );
}

function unknownMembers(body: object, input: object, type: BodyType): [string, readonly string[]][] {
  return Object.keys(body)
    .filter((member) => refusesUnknownMembers(type) && member !== 'actor' && !Object.hasOwn(input, member))
    .map((member) => [member, ['is not a member of this body; remove it']]);
}
