import { isDeepStrictEqual } from 'node:util';
import type { SettingsPreviewData } from '#contracts/settings/settings.api.js';
import type { ApprovalStore } from '#contracts/stores/approvals.store.js';
import { definitionOf, type Weakening } from '#contracts/settings/settings.schema.js';
import type { Settings } from '#contracts/settings/settings.js';
import { isRecord } from '#contracts/common/text.js';
import type { LiveSettings } from './live-settings.js';
import type { KeyedChange } from './setting-changes.js';

const PAGE = 100;
/** Superseded approvals that are named; all are counted. */
const MAX_NAMED = 100;

/** Previews a change of settings, and stores nothing. */
export class SettingsPreview {
  constructor(
    private readonly live: LiveSettings,
    private readonly approvals: ApprovalStore,
    private readonly policyRevision: (settings: Settings, tool: string) => string,
  ) {}

  /** @param input settings as for `LiveSettings.update`, with the same validation */
  async run(input: Readonly<Record<string, unknown>>): Promise<SettingsPreviewData> {
    await this.live.compile(input);
    const { before, after, changes } = this.live.tried(input);
    const known = new Set(this.live.warnings(before));
    const judged = changes.map((change) => ({ change, weakenings: weakeningsOf(change) }));
    return {
      changes: judged.map(({ change: { key, before: old, after: next }, weakenings }) => ({
        key,
        old_value: old ?? null,
        new_value: next ?? null,
        weakens: weakenings.length > 0,
      })),
      warnings: [
        ...judged.flatMap(({ weakenings }) => weakenings),
        ...this.live.warnings(after).filter((warning) => !known.has(warning)),
      ],
      superseded: await this.supersededBy(before, after, changes),
    };
  }

  /** Pending approvals under the policy in force, which the new policy would refuse to run. */
  private async supersededBy(
    before: Settings,
    after: Settings,
    changes: readonly KeyedChange[],
  ): Promise<SettingsPreviewData['superseded']> {
    const revisions = new Map<string, readonly [before: string, after: string]>();
    const revisionsOf = (tool: string) => {
      const known = revisions.get(tool);
      if (known !== undefined) return known;
      const both = [this.policyRevision(before, tool), this.policyRevision(after, tool)] as const;
      revisions.set(tool, both);
      return both;
    };
    const listed: { readonly approval_id: number; readonly tool: string }[] = [];
    let count = 0;
    let cursor: number | null | undefined = changes.length === 0 ? null : undefined;
    while (cursor !== null) {
      const page = await this.approvals.pending({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
      for (const { id, tool, policyRevision } of page.entries) {
        const [current, next] = revisionsOf(tool);
        if (policyRevision !== current || policyRevision === next) continue;
        count += 1;
        if (listed.length < MAX_NAMED) listed.push({ approval_id: id, tool });
      }
      cursor = page.next_cursor;
    }
    return { count, approvals: listed };
  }
}

/** A sentence for each way in which a change protects less, by the `weakens` of its setting. */
function weakeningsOf({ setting, key, before, after }: KeyedChange): readonly string[] {
  const { weakens = {} } = definitionOf(setting);
  if (key !== setting) return entryWeakenings(weakens, key, before, after);
  if (isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      entryWeakenings(weakens, `${key}.${name}`, before[name], after[name]),
    );
  if (Array.isArray(before) && Array.isArray(after)) return listWeakenings(weakens, key, before, after);
  return isWeaker(weakens, before, after) ? [`${key} protects less as ${shown(after)}.`] : [];
}

function entryWeakenings(
  weakens: Weakening,
  name: string,
  before: unknown,
  after: unknown,
): readonly string[] {
  const [existed, exists] = [isThere(before), isThere(after)];
  if (weakens.entries === 'removed' && existed && !exists) return [`${name} no longer protects.`];
  if (weakens.entries === 'added' && exists && !existed) return [`${name} is added, which protects less.`];
  return isWeaker(weakens, before, after) ? [`${name} protects less as ${shown(after)}.`] : [];
}

function listWeakenings(
  { entries }: Weakening,
  key: string,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly string[] {
  if (entries === undefined) return [];
  const [from, to] = entries === 'added' ? [after, before] : [before, after];
  const count = from.filter((entry) => !to.some((other) => isDeepStrictEqual(entry, other))).length;
  if (count === 0) return [];
  return [`${key} protects less: ${count} ${count === 1 ? 'entry is' : 'entries are'} ${entries}.`];
}

/** Values that are not listed protect most. */
function isWeaker({ values = [] }: Weakening, before: unknown, after: unknown) {
  const rank = (value: unknown) => values.findIndex((weak) => isDeepStrictEqual(weak, value));
  return rank(after) > rank(before);
}

function isThere(value: unknown) {
  return value !== undefined && value !== null;
}

function shown(value: unknown) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
