import { Expose } from 'class-transformer';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { RENDERINGS, type Rendering } from '../../libs/contracts/src/output.js';

export class TrySanitizeDto {
  @Expose()
  @IsString({ message: 'must be a text' })
  readonly text!: string;

  @Expose()
  @IsOptional()
  @IsIn(RENDERINGS, { message: `must be one of ${RENDERINGS.join(', ')}` })
  readonly rendering?: Rendering;
}
