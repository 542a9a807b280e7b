import { Body, Controller, Get, Headers, HttpCode, Post, Put, Res } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { IsObject } from 'class-validator';
import type { Response } from 'express';
import type {
  SettingSchemaData,
  SettingsChangesData,
  SettingsData,
  SettingsPreviewData,
  SettingsUpdateData,
} from '#contracts/api/responses.js';
import type { Page } from '#contracts/page.js';
import type { Settings } from '#contracts/settings/settings.js';
import {
  definitionOf,
  environmentName,
  type SettingKey,
  type SettingValues,
  unlockedKeys,
} from '#contracts/settings/settings.schema.js';
import {
  SettingsStore,
  type SettingChangeFilter,
  type SettingChangeRecord,
} from '#contracts/settings/settings.store.js';
import { SettingsPreview, type PreviewedSettings } from '#engine/settings-preview.js';
import { settingChangeData } from '#engine/settings/setting-changes.js';
import { LiveSettings } from '#engine/settings/live-settings.js';
import { CurrentAuthor, UntrustedQuery, type Author } from '../http/parameters.js';
import { filterText, withoutUndefined, type ListQuery, type QueryReader } from '../http/query-reader.js';

class UpdateSettingsDto {
  /** Dotted or nested. The settings schema validates it key by key. */
  @Expose()
  @IsObject({ message: 'must be an object of settings' })
  readonly settings!: Readonly<Record<string, unknown>>;
}

@Controller('settings')
export class SettingsController {
  constructor(
    private readonly live: LiveSettings,
    private readonly store: SettingsStore,
    private readonly previews: SettingsPreview,
  ) {}

  @Get()
  show(@Res({ passthrough: true }) response: Response): SettingsData {
    response.setHeader('ETag', this.live.etag());
    return this.present(this.live.current());
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
    return { ...this.present(update.settings), changed: update.changed };
  }

  @Post('preview')
  @HttpCode(200)
  async preview(@Body() { settings }: UpdateSettingsDto): Promise<SettingsPreviewData> {
    return presentPreview(await this.previews.run(settings));
  }

  @Get('changes')
  async changes(
    @UntrustedQuery(readChangesQuery) { filter, page }: ListQuery<SettingChangeFilter>,
  ): Promise<SettingsChangesData> {
    return presentChanges(await this.store.changes(filter, page));
  }

  private present(settings: Settings): SettingsData {
    return presentSettings(settings, this.live.configured, this.live.warnings(settings));
  }
}

function readChangesQuery(query: QueryReader): ListQuery<SettingChangeFilter> {
  return {
    filter: {
      ...withoutUndefined({ key: query.read('key', filterText), actor: query.read('actor', filterText) }),
      ...query.readRange(),
    },
    page: query.readPage(),
  };
}

function presentSettings(
  settings: Settings,
  configured: SettingValues,
  warnings: readonly string[],
): SettingsData {
  const unlocked = unlockedKeys(configured);
  return {
    settings: settings.shown(),
    overridden: settings.overridden,
    revision: settings.revision,
    updated_at: settings.latestChange?.occurredAt.toISOString() ?? null,
    updated_by: settings.latestChange?.actorId ?? null,
    warnings,
    schema: settings.shownKeys().map((key) => presentSchema(key, configured[key], unlocked.has(key))),
  };
}

export function presentSchema(key: SettingKey, configured: unknown, isUnlocked: boolean): SettingSchemaData {
  const { kind, help, default: fallback, locked, weakens } = definitionOf(key);
  return {
    key,
    kind: kind.name,
    value_schema: kind.schema,
    help,
    default: fallback,
    configured,
    environment: environmentName(key),
    locked: locked && !isUnlocked,
    weakens: { values: weakens?.values ?? [], entries: weakens?.entries ?? null },
  };
}

function presentPreview({ changes, warnings, superseded }: PreviewedSettings): SettingsPreviewData {
  return {
    changes: changes.map(({ key, before, after, weakens }) => ({
      key,
      old_value: before ?? null,
      new_value: after ?? null,
      weakens,
    })),
    warnings,
    superseded: {
      count: superseded.count,
      approvals: superseded.approvals.map(({ id, tool }) => ({ approval_id: id, tool })),
    },
  };
}

function presentChanges({ entries, next_cursor }: Page<SettingChangeRecord>): SettingsChangesData {
  return { changes: entries.map(settingChangeData), next_cursor: next_cursor };
}
