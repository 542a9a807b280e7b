import { hash } from 'node:crypto';
import type { Clock } from '#contracts/common/clock.js';
import { MerkleTree } from '#contracts/log/merkle-tree.js';
import type { Checkpoint, LogHead } from '#contracts/events/checkpoints.js';
import {
  leafText,
  TransparencyLog,
  type Leaf,
  type LeafKind,
  type SignedHead,
} from '#contracts/log/transparency-log.js';
import { copyOf, type MemoryTables } from './memory-tables.js';

type Step = readonly [kind: LeafKind, ref: number, time: Date | null, fields: object];

export class MemoryTransparencyLog extends TransparencyLog {
  private readonly tree = new MerkleTree((bytes) => hash('sha256', Buffer.from(bytes, 'latin1'), 'binary'));
  private readonly kept: Leaf[] = [];
  private readonly logged = new Set<string>();
  private signed: Checkpoint[] = [];

  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async extend() {
    this.appendMissing();
    return false;
  }

  /** Before rows are purged. Without a log, nothing is appended. */
  catchUp(): void {
    if (this.kept.length > 0) this.appendMissing();
  }

  override async leaves(from: number, limit: number) {
    return copyOf(this.kept.slice(from, from + limit));
  }

  override async checkpoint(everyMs: number, sign: (head: LogHead) => SignedHead) {
    const last = this.signed.at(-1);
    const time = this.clock.now();
    const isEarly = last !== undefined && last.time.getTime() > time.getTime() - everyMs;
    if (this.tree.size === (last?.size ?? 0) || isEarly) return null;
    const head = {
      size: this.tree.size,
      root: Buffer.from(this.tree.root(), 'latin1').toString('base64'),
      time,
    };
    const { note, outgoing } = copyOf(sign(head));
    const checkpoint = { ...head, note };
    this.signed.push(checkpoint);
    this.tables.outbox.add(outgoing, null);
    return copyOf(checkpoint);
  }

  override async newest() {
    return copyOf(this.signed.at(-1) ?? null);
  }

  override async checkpoints(after: number, limit: number) {
    return copyOf(this.signed.filter(({ size }) => size > after).slice(0, limit));
  }

  private appendMissing() {
    for (const [kind, ref, time, fields] of steps(this.tables)) {
      const key = `${kind} ${ref}`;
      if (time === null || this.logged.has(key)) continue;
      const leaf = {
        index: this.tree.size,
        kind,
        ref,
        time,
        hash: hash('sha256', JSON.stringify(fields), 'base64url'),
        record: kind === 'retention_run' ? (JSON.parse(JSON.stringify(fields)) as readonly unknown[]) : null,
      };
      this.logged.add(key);
      this.kept.push(leaf);
      this.tree.append(leafText(leaf));
    }
  }
}

/** Every step that becomes a leaf, without what retention erases. */
function* steps(tables: MemoryTables): Generator<Step> {
  for (const { principalId: _, ...entry } of tables.decisions) {
    const {
      prompt: _prompt,
      matchedText: _matched,
      matchedSpan: _span,
      alteration: _alteration,
      ...rest
    } = entry;
    const { policy: _policy, salt: _salt, storage: _storage, ...evidence } = rest;
    yield ['evidence', entry.id, entry.occurredAt, evidence];
  }
  for (const change of tables.changes) yield ['setting_change', change.id, change.occurredAt, change];
  for (const { id, scope, reason, setBy, setAt, releasedBy, releasedAt } of tables.holds) {
    const covered = scope.kind === 'principal' ? { kind: scope.kind } : scope;
    yield ['hold', id, setAt, { id, covered, reason, setBy, setAt }];
    yield ['hold_released', id, releasedAt, { id, releasedBy, releasedAt }];
  }
  for (const { note: _, ...review } of tables.reviews) yield ['review', review.id, review.reviewedAt, review];
  for (const {
    id,
    reference,
    tool,
    toolFingerprint,
    stepName,
    callMac,
    createdAt,
    ...rest
  } of tables.approvals) {
    const { decision, decidedBy, decidedAt, decisionMac, votes } = rest;
    yield ['approval', id, createdAt, { id, reference, tool, toolFingerprint, stepName, callMac, createdAt }];
    yield ['approval_decided', id, decidedAt, { id, decision, decidedBy, decidedAt, decisionMac }];
    for (const vote of votes) {
      const { id: voteId, actorId, votedAt, voteMac } = vote;
      yield ['vote', voteId, votedAt, { voteId, approvalId: id, actorId, votedAt, voteMac }];
    }
  }
  for (const { id, actorId, strategy, scope, counts, heldBy, startedAt, finishedAt } of tables.retentionRuns)
    yield [
      'retention_run',
      id,
      finishedAt,
      [id, actorId, strategy, JSON.stringify(scope), JSON.stringify(counts), heldBy, startedAt, finishedAt],
    ];
}
