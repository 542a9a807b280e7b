import { All, Controller } from '@nestjs/common';
import { GuardrailsError } from '../../libs/contracts/src/errors.js';
import { CurrentClaim } from './parameters.js';
import type { Claim } from './claim.js';

/** Where unknown paths and wrong verbs arrive, behind the same gate as everything else. */
@Controller()
export class UnservedController {
  @All('*path')
  refuse(@CurrentClaim() { match }: Claim): never {
    throw match.kind === 'wrong_verb'
      ? new GuardrailsError('method_not_allowed', 'This path does not take this method.')
      : new GuardrailsError('not_found', 'There is nothing at this path.');
  }
}
