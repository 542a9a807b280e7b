import { Expose } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

const POSITIVE = { message: 'must be a positive integer' };

export class ReplayEventsDto {
  @Expose()
  @IsString({ message: 'must be the name of a sink' })
  readonly sink!: string;

  /** Its dead letters, in place of a range. */
  @Expose()
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  readonly dead_letters?: boolean | null;

  /** The first number of the range. */
  @Expose()
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, POSITIVE)
  @Min(1, POSITIVE)
  @IsInt(POSITIVE)
  readonly from?: number | null;

  /** The last number of the range. Default: all that there is. */
  @Expose()
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, POSITIVE)
  @Min(1, POSITIVE)
  @IsInt(POSITIVE)
  readonly to?: number | null;
}
