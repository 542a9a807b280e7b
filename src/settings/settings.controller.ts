import { Body, Controller, Get, Headers, HttpCode, Post, Put, Res } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { IsObject } from 'class-validator';
import type { Response } from 'express';
import {
  SettingsBody,
  SettingsChangesData,
  SettingsChangesQuery,
  SettingsData,
  SettingsPreviewData,
  SettingsUpdateData,
  type SettingSchemaData,
} from '#contracts/settings/settings.api.js';
import type { Settings } from '#contracts/settings/settings.js';
import {
  definitionOf,
  environmentName,
  type SettingKey,
  type SettingValues,
  unlockedKeys,
} from '#contracts/settings/settings.schema.js';
import { SettingsStore } from '#contracts/stores/settings.store.js';
import { SettingsPreview, type PreviewedSettings } from '#engine/settings/settings-preview.js';
import { settingChangeData } from '#engine/settings/setting-changes.js';
import { LiveSettings } from '#engine/settings/live-settings.js';
import { CurrentAuthor, UntrustedQuery, type Author } from '../http/parameters.js';
import { Answers } from '../openapi/answers.js';
import { ifMatch as ifMatchHeader } from '../openapi/parameters.js';

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
  @Answers('settings.show', SettingsData, { summary: 'Settings in force', etag: true, storeless: true })
  async show(@Res({ passthrough: true }) response: Response): Promise<SettingsData> {
    response.setHeader('ETag', this.live.etag());
    return this.present(this.live.current());
  }

  @Put()
  @Answers('settings.update', SettingsUpdateData, {
    summary: 'Change settings',
    description:
      'A 412 lists the changes since the `ETag` of `If-Match` in `details.changes`, the newest 100, like GET /settings/changes. All or nothing. Keys are dotted or nested; the same key in both forms is refused. `null` returns a key to its configured value. Booleans may also be sent as `1`, `0` or text, integers as digits. Patterns, rule modes and lists are replaced as a whole.',
    headers: [ifMatchHeader],
    body: SettingsBody,
    etag: true,
    errors: ['stale_settings', 'invalid_settings', 'not_overridable'],
  })
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
  @Answers('settings.preview', SettingsPreviewData, {
    summary: 'What a change of settings would do; stores nothing',
    description: 'The body and the validation of PUT /settings, compared with the settings in force.',
    body: SettingsBody,
    errors: ['invalid_settings', 'not_overridable'],
  })
  async preview(@Body() { settings }: UpdateSettingsDto): Promise<SettingsPreviewData> {
    return presentPreview(await this.previews.run(settings));
  }

  @Get('changes')
  @Answers('settings.changes', SettingsChangesData, {
    summary: 'Changes of settings with their actors, newest first',
  })
  async changes(
    @UntrustedQuery(SettingsChangesQuery) query: SettingsChangesQuery,
  ): Promise<SettingsChangesData> {
    const { entries, next_cursor } = await this.store.changes(query, query);
    return { changes: entries.map(settingChangeData), next_cursor };
  }

  private present(settings: Settings): SettingsData {
    return presentSettings(settings, this.live.configured, this.live.warnings(settings));
  }
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

function presentSchema(key: SettingKey, configured: unknown, isUnlocked: boolean): SettingSchemaData {
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
