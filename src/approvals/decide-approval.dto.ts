import { Expose } from 'class-transformer';
import { IsOptional, IsString, MaxLength } from 'class-validator';

export class DecideApprovalDto {
  /** Why; kept with the decision. */
  @Expose()
  @IsOptional()
  @IsString({ message: 'must be a text' })
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  readonly reason?: string | null;
}
