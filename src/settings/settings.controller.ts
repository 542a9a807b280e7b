import { Body, Controller, Headers, Res } from '@nestjs/common';
import type { Response } from 'express';
import type {
  SettingsChangesData,
  SettingsData,
  SettingsUpdateData,
} from '../../libs/contracts/src/api/responses.js';
import { SettingsStore } from '../../libs/contracts/src/settings/settings.store.js';
import { LiveSettings } from '../../libs/engine/src/settings/live-settings.js';
import { CurrentAuthor, UntrustedQuery, type Author } from '../http/parameters.js';
import { Serves } from '../http/serves.decorator.js';
import { presentChanges, presentSettings, presentUpdate } from './settings.presenter.js';
import { readChangesQuery, type ChangesQuery } from './settings.query.js';
import { UpdateSettingsDto } from './update-settings.dto.js';

@Controller()
export class SettingsController {
  constructor(
    private readonly live: LiveSettings,
    private readonly store: SettingsStore,
  ) {}

  @Serves('settings.show')
  show(@Res({ passthrough: true }) response: Response): SettingsData {
    response.setHeader('ETag', this.live.etag());
    return presentSettings(this.live.current());
  }

  @Serves('settings.update')
  async update(
    @Body() { settings }: UpdateSettingsDto,
    @CurrentAuthor() { actor, requestId }: Author,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SettingsUpdateData> {
    const author = { actorId: actor.id, requestId, ifMatch: ifMatch ?? null };
    const update = await this.live.update(settings, author);
    response.setHeader('ETag', this.live.etag(update.settings));
    return presentUpdate(update);
  }

  @Serves('settings.changes')
  async changes(
    @UntrustedQuery(readChangesQuery) { filter, page }: ChangesQuery,
  ): Promise<SettingsChangesData> {
    return presentChanges(await this.store.changes(filter, page));
  }
}
