import { Expose } from 'class-transformer';
import { IsObject } from 'class-validator';

export class UpdateSettingsDto {
  /** Dotted or nested; judged key by key by the settings schema. */
  @Expose()
  @IsObject({ message: 'must be an object of settings' })
  readonly settings!: Readonly<Record<string, unknown>>;
}
