/** The `data` of every answer that is an error. */
import { ERROR_CODES } from '../common/errors.js';
import {
  about,
  anything,
  choice,
  list,
  mapOf,
  object,
  optional,
  type Static,
  text,
} from '../common/schema.js';

export const ErrorData = object(
  {
    error: object({
      code: about(
        choice(ERROR_CODES),
        'Never changes its meaning. The response names the codes of its status.',
      ),
      message: about(text, 'What failed, why, and what to do next.'),
      request_id: text,
      fields: optional(
        about(mapOf(list(text, { minItems: 1 })), 'Why members or parameters are invalid, by their names.'),
      ),
      details: optional(mapOf(anything)),
    }),
  },
  'Error',
);
export type ErrorData = Static<typeof ErrorData>;
