import { Body, Controller, Get, Headers, Put, Res } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { IsObject } from 'class-validator';
import type { Response } from 'express';
import type { SettingsChangesData, SettingsData, SettingsUpdateData } from '#contracts/api/responses.js';
import { Clock } from '#contracts/clock.js';
import type { Page, PageRequest } from '#contracts/page.js';
import type { Settings } from '#contracts/settings/settings.js';
import { SettingsStore, type SettingChangeRecord } from '#contracts/settings/settings.store.js';
import { LiveSettings } from '#engine/settings/live-settings.js';
import { CurrentAuthor, UntrustedQuery, type Author } from '../http/parameters.js';
import { filterText, withoutUndefined, type QueryReader } from '../http/query-reader.js';

export class UpdateSettingsDto {
  /** Dotted or nested. The settings schema validates it key by key. */
  @Expose()
  @IsObject({ message: 'must be an object of settings' })
  readonly settings!: Readonly<Record<string, unknown>>;
}

interface ChangesQuery {
  readonly filter: { readonly key?: string };
  readonly page: PageRequest;
}

@Controller('settings')
export class SettingsController {
  constructor(
    private readonly live: LiveSettings,
    private readonly store: SettingsStore,
    private readonly clock: Clock,
  ) {}

  @Get()
  show(@Res({ passthrough: true }) response: Response): SettingsData {
    response.setHeader('ETag', this.live.etag());
    return presentSettings(this.live.current(), this.clock.now());
  }

  @Put()
  async update(
    @Body() { settings }: UpdateSettingsDto,
    @CurrentAuthor() { actor, requestId }: Author,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SettingsUpdateData> {
    const author = { actorId: actor.id, requestId, ifMatch: ifMatch ?? null };
    const update = await this.live.update(settings, author);
    response.setHeader('ETag', this.live.etag(update.settings));
    return { ...presentSettings(update.settings, this.clock.now()), changed: update.changed };
  }

  @Get('changes')
  async changes(
    @UntrustedQuery(readChangesQuery) { filter, page }: ChangesQuery,
  ): Promise<SettingsChangesData> {
    return presentChanges(await this.store.changes(filter, page));
  }
}

function readChangesQuery(query: QueryReader): ChangesQuery {
  return { filter: withoutUndefined({ key: query.read('key', filterText) }), page: query.readPage() };
}

function presentSettings(settings: Settings, now: Date): SettingsData {
  return {
    settings: settings.shown(),
    overridden: settings.overridden,
    revision: settings.revision,
    warnings: settings.warnings(now),
  };
}

function presentChanges({ entries, nextCursor }: Page<SettingChangeRecord>): SettingsChangesData {
  return {
    changes: entries.map((change) => ({
      id: change.id,
      actor_id: change.actorId,
      key: change.key,
      old_value: change.before ?? null,
      new_value: change.after ?? null,
      occurred_at: change.occurredAt.toISOString(),
      request_id: change.requestId,
    })),
    next_cursor: nextCursor,
  };
}
