import { Expose } from 'class-transformer';
import { IsOptional, IsString, MaxLength } from 'class-validator';

export class DecideApprovalDto {
  /** Why; kept with the decision. */
  @Expose()
  @IsOptional()
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @IsString({ message: 'must be a text' })
  readonly reason?: string | null;
}
