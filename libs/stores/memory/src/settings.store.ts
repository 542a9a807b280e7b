import type { Page, PageRequest } from '#contracts/page.js';
import {
  SettingsStore,
  type SettingChangeRecord,
  type SettingsPlan,
  type StoredOverrides,
} from '#contracts/settings/settings.store.js';
import { scrubText } from '#contracts/text.js';
import { copyOf, type MemoryTables } from './memory-tables.js';

export class MemorySettingsStore extends SettingsStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async read(): Promise<StoredOverrides> {
    return this.stored();
  }

  override async revision(): Promise<number> {
    return this.tables.revision;
  }

  override async apply(plan: (stored: StoredOverrides) => SettingsPlan | null): Promise<StoredOverrides> {
    const planned = plan(this.stored());
    if (planned !== null) this.write(planned);
    return this.stored();
  }

  override async changes(
    filter: { readonly key?: string },
    request: PageRequest,
  ): Promise<Page<SettingChangeRecord>> {
    const key = filter.key === undefined ? null : scrubText(filter.key);
    return copyOf(
      this.tables.changes.page(
        request,
        (change) => key === null || change.key === key || change.key.startsWith(`${key}.`),
      ),
    );
  }

  private stored(): StoredOverrides {
    const { overrides, revision } = this.tables;
    return { values: new Map(copyOf([...overrides])), revision };
  }

  private write(plan: SettingsPlan): void {
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
