import type { ApprovalRow as StoredApproval } from '#contracts/stores/approvals.store.js';
import type { Clock } from '#contracts/common/clock.js';
import type { AuditEntry, Decision, RecordedEvidence } from '#contracts/audit/record.js';
import type { NewRejection, Rejection } from '#contracts/firewall/firewall.js';
import type { OutputCount } from '#contracts/output/output.js';
import type { SettingChangeRecord } from '#contracts/stores/settings.store.js';
import type { OutgoingEvent, StoredEvent } from '#contracts/events/outbox.js';
import type { Hold } from '#contracts/retention/holds.js';
import type { RetentionOrder, RetentionRun } from '#contracts/retention/retention.js';
import type { Review } from '#contracts/audit/review.store.js';
import type { Run, RunName } from '#contracts/runs/run.store.js';
import type { Page, PageRequest } from '#contracts/common/page.js';
import { scrubText } from '#contracts/common/text.js';
import { BudgetTable } from './budget-table.js';

export interface CountedOutput extends OutputCount {
  readonly evidenceId: number;
  readonly application: string | null;
  readonly occurredAt: Date;
}

export interface ApprovalRow extends StoredApproval {
  /** Digest of the arguments that the model requested under this approval. */
  readonly dedupDigest: string;
}

/** A run without what it inherits. */
export interface RunRow extends RunName, Run {
  readonly parent: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export function keyOf({ application, principalId, runId }: RunName): string {
  return JSON.stringify(copyOf([application, principalId, runId]));
}

/**
 * The tables that the stores of one backend share. A transaction is a synchronous block that makes all copies and builds
 * all evidence, which can throw, before the first write.
 */
export class MemoryTables {
  readonly decisions = new Table<AuditEntry>();
  readonly principals = new Set<string>();
  /** Purged decisions without their principal and text. Statistics still count them. */
  readonly purged: AuditEntry[] = [];
  readonly rejections = new Table<Rejection>();
  readonly reviews = new Table<Review>();
  readonly outputCounts: CountedOutput[] = [];
  readonly approvals = new Table<ApprovalRow>();
  readonly budgets = new BudgetTable();
  readonly runs = new Map<string, RunRow>();
  /** What lists show of runs, by their keys and ordered by the first entry, with which a run is deleted. */
  readonly runSteps = new Map<string, RecordedEvidence[]>();
  readonly changes = new Table<SettingChangeRecord>();
  readonly overrides = new Map<string, unknown>();
  revision = 0;
  readonly outbox: OutboxTables;
  readonly retentionRuns = new Table<RetentionRunRow>();
  readonly holds = new Table<Hold>();
  minimumDays = 0;

  constructor(clock: Clock) {
    this.outbox = new OutboxTables(clock);
  }

  /** The caller passes a copy of the decision. */
  write(decision: Decision): number {
    const { evidence, content, rejection, outputCounts, outgoing } = decision;
    const { id } = this.decisions.insert({ ...evidence, ...content });
    const { principalId, runId } = evidence;
    if (principalId !== null) this.principals.add(principalId);
    if (runId !== null) {
      const key = keyOf({ ...evidence, runId });
      const steps = this.runSteps.get(key) ?? [];
      this.runSteps.set(key, steps);
      steps.push({ ...evidence, id });
    }
    if (rejection !== null) this.rejections.put(rejectionOf(rejection, id));
    for (const count of outputCounts) {
      this.outputCounts.push({
        ...count,
        evidenceId: id,
        application: evidence.application,
        occurredAt: evidence.occurredAt,
      });
    }
    this.outbox.add(outgoing, id);
    return id;
  }

  /** The decisions that statistics count. */
  *counted(): Iterable<AuditEntry> {
    yield* this.purged;
    yield* this.decisions;
  }
}

export interface Delivery {
  readonly position: number;
  readonly subject: string;
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly queuedAt: number;
  /** The delivery can be claimed from this time on, in milliseconds since the epoch. */
  readonly dueAt: number;
  readonly lease: string | null;
  /** Milliseconds since the epoch; `null` unless it is a dead letter. */
  readonly deadAt: number | null;
  readonly error: string | null;
}

/** Events and the remaining deliveries of each sink, both by position and ordered by it. */
export class OutboxTables {
  readonly events = new Map<number, StoredEvent>();
  readonly deliveries = new Map<string, Map<number, Delivery>>();
  private lastPosition = 0;

  constructor(private readonly clock: Clock) {}

  get newest(): number {
    return this.lastPosition;
  }

  /** The caller passes copies of the events. They are due immediately. */
  add(outgoing: readonly OutgoingEvent[], auditId: number | null): void {
    for (const { sinks, ...event } of outgoing) {
      const position = ++this.lastPosition;
      this.events.set(position, { ...event, position, auditId });
      for (const sink of sinks)
        this.deliveriesOf(sink).set(position, this.newDelivery(position, event.subject));
    }
  }

  /** Removes an event and its remaining deliveries. */
  delete(position: number): void {
    this.events.delete(position);
    for (const left of this.deliveries.values()) left.delete(position);
  }

  deliveriesOf(sink: string): Map<number, Delivery> {
    const known = this.deliveries.get(sink);
    if (known !== undefined) return known;
    const created = new Map<number, Delivery>();
    this.deliveries.set(sink, created);
    return created;
  }

  /** Adds a new delivery and keeps the deliveries ordered by position. */
  queue(sink: string, position: number, subject: string): void {
    const left = [...this.deliveriesOf(sink).values(), this.newDelivery(position, subject)];
    const ordered = left.toSorted((a, b) => a.position - b.position);
    this.deliveries.set(sink, new Map(ordered.map((delivery) => [delivery.position, delivery])));
  }

  private newDelivery(position: number, subject: string): Delivery {
    const queuedAt = this.clock.now().getTime();
    return {
      position,
      subject,
      attempts: 0,
      queuedAt,
      dueAt: Number.NEGATIVE_INFINITY,
      lease: null,
      deadAt: null,
      error: null,
    };
  }
}

/** A run with the columns that only the store reads. */
export interface RetentionRunRow extends RetentionRun {
  /** The order, which may contain a principal, until the run is finished. */
  readonly order: RetentionOrder | null;
  readonly partsDone: number;
  readonly lease: string;
  /** Milliseconds since the epoch. */
  readonly heldUntil: number;
  readonly notified: boolean;
}

export function runOf(run: RetentionRunRow): RetentionRun {
  const { id, strategy, scope, actorId, counts, heldBy, startedAt, finishedAt } = run;
  return { id, strategy, scope, actorId, counts, heldBy, startedAt, finishedAt };
}

interface Identified {
  readonly id: number;
}

/** Immutable rows in the order of their ids. */
export class Table<Row extends Identified> {
  private readonly rows: Row[] = [];
  private lastId = 0;

  get nextId(): number {
    return this.lastId + 1;
  }

  insert(row: Omit<Row, 'id'>): Row {
    const inserted = { id: this.nextId, ...row } as Row;
    this.lastId = inserted.id;
    this.rows.push(inserted);
    return inserted;
  }

  /** Inserts a row with an id from another table, which must be higher than all ids before. */
  put(row: Row): void {
    this.lastId = row.id;
    this.rows.push(row);
  }

  replace(row: Row): void {
    const index = this.below(row.id);
    if (this.rows[index]?.id === row.id) this.rows[index] = row;
  }

  remove(id: number): void {
    const index = this.below(id);
    if (this.rows[index]?.id === id) this.rows.splice(index, 1);
  }

  find(id: number): Row | undefined {
    const row = this.rows[this.below(id)];
    return row?.id === id ? row : undefined;
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.rows.values();
  }

  /** Newest first, between `after` and the cursor. Reads one match more than the limit to find out whether there is a next page. */
  page(request: PageRequest, matches: (row: Row) => boolean): Page<Row> {
    const entries: Row[] = [];
    const end = request.cursor === undefined ? this.rows.length : this.below(request.cursor);
    for (let index = end - 1; index >= 0; index--) {
      const row = this.rows[index];
      if (row === undefined || !matches(row)) continue;
      if (request.after !== undefined && row.id <= request.after) break;
      if (entries.length === request.limit) {
        return { entries, next_cursor: entries.at(-1)?.id ?? null };
      }
      entries.push(row);
    }
    return { entries, next_cursor: null };
  }

  /** The first match with a higher id. */
  after(id: number, matches: (row: Row) => boolean): Row | undefined {
    for (let index = this.below(id + 1); index < this.rows.length; index++) {
      const row = this.rows[index];
      if (row !== undefined && matches(row)) return row;
    }
    return undefined;
  }

  /** The number of rows with a lower id. */
  private below(id: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rows[middle]?.id ?? id) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * A deep copy with scrubbed texts. Records are copied when they are written, so that the content equals that of a
 * database, and when they are read, so that callers cannot change it. Properties that are `undefined` are omitted, as in
 * JSON.
 */
export function copyOf<Value>(value: Value): Value {
  return copied(value) as Value;
}

function copied(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return new Date(value);
  if (Array.isArray(value)) return value.map(copied);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, held]) => held !== undefined)
      .map(([key, held]) => [scrubText(key), copied(held)]),
  );
}

function rejectionOf(call: NewRejection, id: number): Rejection {
  return {
    id,
    tool: call.tool,
    principal_id: call.principalId,
    application: call.application,
    violations: call.violations,
    violation_count: call.violationCount,
    enforced: call.enforced,
    occurred_at: call.occurredAt.toISOString(),
  };
}
