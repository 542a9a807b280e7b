import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { GuardrailsError } from '../../libs/contracts/src/errors.js';
import { objectBody } from './object-body.js';

/** A body → its DTO, or every field that does not fit. Fields that the DTO does not expose are ignored. */
@Injectable()
export class FieldsPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' || metatype === undefined) return value;
    const input = shaped(objectBody(value), metatype as Type<object>);
    const errors = await validate(input, { forbidUnknownValues: false, stopAtFirstError: true });
    if (errors.length === 0) return input;
    throw new GuardrailsError('invalid_body', 'Some fields do not fit.', {
      fields: Object.fromEntries(
        errors.map(({ property, constraints = {} }) => [property, Object.values(constraints)]),
      ),
    });
  }
}

/** Only the shape comes from the transformer; values are put in untouched, for it would walk into untyped, hostile objects. */
function shaped(body: Readonly<Record<string, unknown>>, type: Type<object>): object {
  const input = plainToInstance(type, {}, { excludeExtraneousValues: true });
  const fields = Object.keys(input).filter((field) => Object.hasOwn(body, field));
  return Object.assign(input, Object.fromEntries(fields.map((field) => [field, body[field]])));
}
