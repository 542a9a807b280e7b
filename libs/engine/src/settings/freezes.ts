/** Freezes tools and lifts freezes. They are overrides of the settings, so every instance sees them with its next poll. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '#contracts/common/clock.js';
import { comparableId } from '#contracts/common/comparison.js';
import { GuardrailsError, messageOf } from '#contracts/common/errors.js';
import type { Page } from '#contracts/common/page.js';
import type { EventPublisher } from '#contracts/events/guardrails-event.js';
import { FreezeChanged } from '#contracts/events/operation-events.js';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import {
  covers,
  type Freeze,
  type FreezeData,
  freezeKey,
  type FreezeOrder,
  freezesOf,
  type FreezesQuery,
  isInForce,
} from '#contracts/freeze/freezes.api.js';
import { UNGUARDED } from '#contracts/settings/settings.js';
import type { ApprovalStore } from '#contracts/stores/approvals.store.js';
import type { SettingsPlan, SettingsStore, StoredOverrides } from '#contracts/stores/settings.store.js';
import type { OperationAuthor } from '../shared/operation-log.js';
import {
  type CallStop,
  CallStops,
  type Diagnostics,
  type EventRouter,
  type ToolCatalog,
} from '../shared/ports.js';
import type { LiveSettings } from './live-settings.js';

interface FreezesOptions {
  readonly settings: LiveSettings;
  readonly approvals: ApprovalStore;
  readonly tools: ToolCatalog;
  readonly router: EventRouter;
  readonly publisher: EventPublisher;
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
}

/** Without a successful read for this long, a freeze of another instance may be unknown here. */
const MAX_UNREAD_MS = 10_000;

const MAX_RUNNING = 200;

/** The actor of a lift by the command line. */
const BREAK_GLASS = 'break_glass';

export class Freezes extends CallStops {
  private isUnread = false;
  private inForce: readonly number[] = [];

  constructor(private readonly options: FreezesOptions) {
    super();
  }

  /** The freeze that stops calls of a tool, also in monitor mode and where approvals are off. */
  override async find(tool: Tool, application: string | null): Promise<CallStop | null> {
    const isRead = await this.isRead();
    const settings = this.options.settings.current();
    if (!settings.get('enabled')) return null;
    const freeze = settings.freezes.find((each) => isInForce(each) && covers(each, tool.name, application));
    if (freeze !== undefined) return { ruleId: freezeKey(freeze), why: 'an operator froze it' };
    const isEnforced = settings.mode('tool_firewall').enforces() || settings.mode('hitl').enforces();
    return isRead || !isEnforced || tool.readOnly === true
      ? null
      : { ruleId: null, why: 'this instance cannot read whether it is frozen' };
  }

  list({ active, cursor, after, limit }: FreezesQuery): Page<Freeze> {
    const found = this.options.settings
      .current()
      .freezes.filter(
        (each) =>
          (active === undefined || active === isInForce(each)) &&
          (cursor === undefined || each.id < cursor) &&
          (after === undefined || each.id > after),
      );
    const entries = found.slice(0, limit);
    return { entries, next_cursor: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
  }

  /** In force on this instance when it resolves, and on the others with their next poll. */
  async freeze({ scope, name = null, reason }: FreezeOrder, author: OperationAuthor): Promise<FreezeData> {
    assertOrder({ scope, name, reason });
    const freeze = await this.change(author, ({ values, revision }, now) => {
      const same = freezesOf(values).find(
        (each) => isInForce(each) && each.scope === scope && each.name === name,
      );
      if (same !== undefined)
        throw new GuardrailsError(
          'already_frozen',
          `Freeze ${same.id} of the same scope is in force. Nothing was changed.`,
          { details: { id: same.id, frozen_by: same.frozen_by, frozen_at: same.frozen_at } },
        );
      const lift = { lifted_by: null, lifted_at: null, lift_reason: null, announced: true };
      return { id: revision + 1, scope, name, reason, frozen_by: author.actorId, frozen_at: now, ...lift };
    });
    return { freeze, running: await this.runningUnder(freeze), warnings: this.warningsOf(freeze) };
  }

  lift(id: number, reason: string, author: OperationAuthor): Promise<Freeze> {
    return this.change(author, ({ values }, now) => {
      const freeze = standing(values, id);
      const isOwn = comparableId(freeze.frozen_by) === comparableId(author.actorId);
      if (isOwn && this.options.settings.current().get('hitl.four_eyes'))
        throw new GuardrailsError(
          'self_lift',
          'You set this freeze, and with hitl.four_eyes another operator must lift it. If nobody else can, run npx nest-guardrails freeze lift with --force.',
        );
      return { ...freeze, lifted_by: author.actorId, lifted_at: now, lift_reason: reason };
    });
  }

  /** Queues the event of a lift by the command line, which knows no sinks; once over all instances. */
  async announce(): Promise<void> {
    const pending = this.options.settings.current().freezes.find(({ announced }) => !announced);
    if (pending === undefined) return;
    await this.change({ actorId: BREAK_GLASS, requestId: null }, ({ values }) => {
      const stored = freezesOf(values).find(({ id }) => id === pending.id);
      return stored === undefined || stored.announced ? null : { ...stored, announced: true };
    });
  }

  /** Whether a freeze was lifted since the last call, on any instance: calls approved under it can run. */
  noticeLift(): boolean {
    const before = this.inForce;
    this.inForce = this.list({ active: true, limit: Infinity }).entries.map(({ id }) => id);
    return before.some((id) => !this.inForce.includes(id));
  }

  private async change<Changed extends Freeze | null>(
    author: OperationAuthor,
    change: (stored: StoredOverrides, now: string) => Changed,
  ): Promise<Changed> {
    const now = this.options.clock.now();
    let changed: Changed | undefined;
    let event: FreezeChanged | null = null;
    await this.options.settings.write((stored) => {
      changed = change(stored, now.toISOString());
      event = changed === null ? null : new FreezeChanged(randomUUID(), changed, now);
      return changed === null || event === null
        ? null
        : planOf(stored, changed, author, now, this.options.router.route(event));
    });
    if (event !== null) this.options.publisher.publish(event);
    return changed as Changed;
  }

  /** Logged once, until the settings are read again. */
  private async isRead(): Promise<boolean> {
    const { settings, diagnostics } = this.options;
    try {
      await settings.readWithin(MAX_UNREAD_MS);
      this.isUnread = false;
    } catch (error) {
      if (!this.isUnread)
        diagnostics.warn(
          'The settings could not be read for 10 s, so that a freeze may be unknown here: calls of tools that are not declared readOnly are refused. Check the connection to the store.',
          { reason: messageOf(error) },
        );
      this.isUnread = true;
    }
    return !this.isUnread;
  }

  private async runningUnder(freeze: Freeze): Promise<FreezeData['running']> {
    const { entries } = await this.options.approvals.history({ status: 'executing' }, { limit: MAX_RUNNING });
    return entries
      .filter(({ tool, application }) => covers(freeze, tool, application))
      .map(({ id, tool }) => ({ approval_id: id, tool }));
  }

  private warningsOf({ scope, name }: Freeze): readonly string[] {
    const isUnknown = scope === 'tool' && this.options.tools.find(name ?? '') === undefined;
    return [
      ...(isUnknown
        ? ['This instance knows no tool of this name. Check the name; other instances may know it.']
        : []),
      ...(this.options.settings.current().get('enabled') ? [] : [UNGUARDED]),
    ];
  }
}

/** Lifts a freeze with the credentials of the database, whoever set it. An instance queues the event. */
export async function liftByForce(
  store: SettingsStore,
  id: number,
  reason: string,
  now: Date,
): Promise<Freeze> {
  const { values } = await store.apply((stored) => {
    const lift = { lifted_by: BREAK_GLASS, lifted_at: now.toISOString(), lift_reason: reason };
    const lifted = { ...standing(stored.values, id), ...lift, announced: false };
    return planOf(stored, lifted, { actorId: BREAK_GLASS, requestId: null }, now, []);
  });
  return values.get(freezeKey({ id })) as Freeze;
}

function planOf(
  { values }: StoredOverrides,
  after: Freeze,
  author: OperationAuthor,
  occurredAt: Date,
  outgoing: readonly OutgoingEvent[],
): SettingsPlan {
  const key = freezeKey(after);
  const changes = [{ key, before: values.get(key) ?? null, after }];
  return { overrides: new Map([[key, after]]), changes, ...author, occurredAt, outgoing };
}

/** @throws if there is no such freeze, or it was lifted */
function standing(values: StoredOverrides['values'], id: number): Freeze {
  const freeze = freezesOf(values).find((each) => each.id === id);
  if (freeze === undefined)
    throw new GuardrailsError('not_found', 'No freeze has this id. Take an id from GET /freeze.');
  if (isInForce(freeze)) return freeze;
  const { lifted_by, lifted_at } = freeze;
  throw new GuardrailsError('already_lifted', 'This freeze was lifted before. Nothing was changed.', {
    details: { lifted_by, lifted_at },
  });
}

function assertOrder({ scope, name = null, reason }: FreezeOrder) {
  const fields = {
    ...(scope === 'all' && name !== null && { name: ['must be absent where scope is all'] }),
    ...(scope !== 'all' && (name ?? '').trim() === '' && { name: [`is required: the ${scope} to freeze`] }),
    ...(reason.trim() === '' && { reason: ['must give the reason'] }),
  };
  if (Object.keys(fields).length > 0)
    throw new GuardrailsError(
      'invalid_body',
      'The freeze is incomplete. Correct the members listed in fields. Nothing was frozen.',
      { fields },
    );
}
