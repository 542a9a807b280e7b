import type { PageRequest } from '#contracts/common/page.js';
import {
  SettingsStore,
  type SettingChangeFilter,
  type SettingChangeRecord,
  type SettingsPlan,
  type StoredOverrides,
} from '#contracts/stores/settings.store.js';
import type { LatestChange } from '#contracts/settings/settings.js';
import { scrubText } from '#contracts/common/text.js';
import { isEqual, isWithin } from './list-filters.js';
import { copyOf, type MemoryTables } from './memory-tables.js';

export class MemorySettingsStore extends SettingsStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async read() {
    return this.stored();
  }

  override async revision() {
    return this.tables.revision;
  }

  override async apply(plan: (stored: StoredOverrides) => SettingsPlan | null) {
    const planned = plan(this.stored());
    if (planned !== null) this.write(planned);
    return this.stored();
  }

  override async changes(filter: SettingChangeFilter, request: PageRequest) {
    const key = filter.key === undefined ? null : scrubText(filter.key);
    const actor = filter.actor === undefined ? undefined : scrubText(filter.actor);
    return copyOf(
      this.tables.changes.page(
        request,
        (change) =>
          (key === null || change.key === key || change.key.startsWith(`${key}.`)) &&
          isEqual(actor, change.actorId) &&
          isWithin(filter, change.occurredAt),
      ),
    );
  }

  private stored(): StoredOverrides {
    const { overrides, changes, revision } = this.tables;
    const [latest] = changes.page({ limit: 1 }, () => true).entries;
    return {
      values: new Map(copyOf([...overrides])),
      revision,
      latestChange: latest === undefined ? null : latestChangeOf(latest),
    };
  }

  private write(plan: SettingsPlan) {
    const overrides = copyOf([...plan.overrides]);
    const outgoing = copyOf(plan.outgoing);
    const { actorId, requestId, occurredAt } = plan;
    const changes = plan.changes.map(({ key, before = null, after = null }) =>
      copyOf({ key, before, after, actorId, requestId, occurredAt }),
    );

    for (const [key, value] of overrides) {
      if (value === null) this.tables.overrides.delete(key);
      else this.tables.overrides.set(key, value);
    }
    for (const change of changes) this.tables.changes.insert(change);
    this.tables.outbox.add(outgoing, null);
    this.tables.revision += 1;
  }
}

function latestChangeOf({ id, actorId, occurredAt }: SettingChangeRecord): LatestChange {
  return copyOf({ id, actorId, occurredAt });
}
