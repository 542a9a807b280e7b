import { Expose } from 'class-transformer';
import { IsIn, IsString, Matches, MaxLength } from 'class-validator';
import { RESOLUTIONS, type Resolution } from '../../libs/contracts/src/approvals.js';

export class ResolveApprovalDto {
  /** What the call turned out to have come to. */
  @Expose()
  @IsIn(RESOLUTIONS, { message: `must be one of ${RESOLUTIONS.join(', ')}` })
  readonly status!: Resolution;

  /** How that is known; kept with the approval. */
  @Expose()
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @Matches(/\S/, { message: 'must say how that is known' })
  @IsString({ message: 'must be a text' })
  readonly reason!: string;
}
