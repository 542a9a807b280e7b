import { Expose } from 'class-transformer';
import { IsString } from 'class-validator';

export class TrySanitizeDto {
  @Expose()
  @IsString({ message: 'must be a text' })
  readonly text!: string;
}
