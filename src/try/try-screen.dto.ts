import { Expose } from 'class-transformer';
import { IsString } from 'class-validator';

export class TryScreenDto {
  @Expose()
  @IsString({ message: 'must be a text' })
  readonly prompt!: string;
}
