import {
  isInSummary,
  riskWeight,
  type Approval,
  type ApprovalId,
  type ApprovalSummary,
  type NewApproval,
} from '#contracts/approvals/approvals.js';
import {
  ApprovalStore,
  type ApprovalChange,
  type ApprovalCommand,
  type ApprovalFilter,
  type BuildEvidence,
  type CallFilter,
  type CallIdentity,
  type PendingRequest,
  type ReminderKind,
  type StuckKind,
} from '#contracts/stores/approvals.store.js';
import type { Clock } from '#contracts/common/clock.js';
import type { Page, PageRequest } from '#contracts/common/page.js';
import { jsonFragment, scrubText } from '#contracts/common/text.js';
import {
  approvalOf,
  begin,
  isOpen,
  isSettled,
  later,
  mayBeRequestedAgain,
  next,
} from '#engine/controls/approvals/life-cycle.js';
import { copyOf, type ApprovalRow, type MemoryTables } from './memory-tables.js';

export class MemoryApprovalStore extends ApprovalStore {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async park(call: NewApproval, evidence: BuildEvidence, maxOpen: number) {
    const now = this.clock.now();
    const row = this.newRow(call, call.argumentsDigest, now);
    const same = this.rows.find((other) => isSameCall(other, row, now));
    if (same !== undefined) return { approval: shown(same), created: false };
    const open = this.rows.filter((other) => other.principalId === row.principalId && isOpen(other, now));
    // Calls without a principal have no limit.
    if (row.principalId !== null && open.length >= maxOpen) return null;
    const decision = copyOf(evidence(shown(row), 'parked'));
    return { approval: this.insert(row, this.tables.write(decision)), created: true };
  }

  override async findSame(call: CallIdentity) {
    const [sought, now] = [copyOf(call), this.clock.now()];
    return shownOrNull(this.rows.find((row) => isSameCall(row, sought, now)));
  }

  override async findLast(call: CallIdentity) {
    const sought = copyOf(call);
    return shownOrNull(this.rows.findLast((row) => isRequestOf(row, sought)));
  }

  override async pending(request: PendingRequest, filter: CallFilter = {}) {
    const now = this.clock.now();
    const isShown = (row: ApprovalRow) => isOpen(row, now) && matchesCall(row, filter);
    if (request.sort !== 'risk') return this.page(request, isShown, shown);
    const rows = this.rows.filter(isShown).toSorted(byRisk);
    return { entries: rows.slice(0, request.limit).map(shown), next_cursor: null };
  }

  override async approvedArguments(filter: CallFilter, limit: number) {
    const rows = this.rows.filter((row) => row.decision === 'approved' && matchesCall(row, filter));
    const all = rows.toReversed().flatMap(({ arguments: args }) => (args === null ? [] : [copyOf(args)]));
    return all.slice(0, limit);
  }

  override async history(filter: ApprovalFilter, request: PageRequest) {
    return this.page(request, (row) => matchesFilter(row, filter), summaryOf);
  }

  override async find(id: number) {
    return shownOrNull(this.tables.approvals.find(id));
  }

  override async findByTokenHash(tokenHash: string) {
    const sought = scrubText(tokenHash);
    return shownOrNull(this.rows.find((row) => row.tokenHash === sought));
  }

  override async change(
    id: number,
    command: ApprovalCommand,
    evidence: BuildEvidence,
  ): Promise<ApprovalChange | null> {
    const row = this.tables.approvals.find(id);
    if (row === undefined) return null;
    const result = next(row, command, this.clock.now());
    if (result.kind === 'refused') return { ...result, approval: shown(row) };
    const { step } = result;
    const stored = copyOf(result.row);
    // The evidence is built before the first write, so that nothing is written if it throws.
    const decision = step === null ? null : copyOf(evidence(shown(stored), step));
    this.tables.approvals.replace(stored);
    if (stored.status !== row.status) this.settleClaims(stored);
    if (decision !== null) this.tables.write(decision);
    return { kind: 'changed', approval: shown(stored), step };
  }

  override async propose(id: number, call: NewApproval, evidence: BuildEvidence) {
    const [row, now] = [this.tables.approvals.find(id), this.clock.now()];
    const result = row === undefined ? null : next(row, { kind: 'replace' }, now);
    if (row === undefined || result?.kind !== 'changed') return null;
    const proposed = this.newRow(call, row.dedupDigest, now);
    const superseded = { ...result.row, supersededBy: proposed.id };
    const decisions = [
      copyOf(evidence(shown(superseded), 'superseded')),
      copyOf(evidence(shown(proposed), 'proposed')),
    ] as const;
    this.tables.approvals.replace(superseded);
    this.tables.write(decisions[0]);
    const inserted = this.insert(proposed, this.tables.write(decisions[1]));
    return { superseded: shown(superseded), proposed: inserted };
  }

  override async dueReminders(reminder: ReminderKind, afterMs: number, limit: number) {
    return this.idsWhere({ kind: 'remind', reminder, afterMs }).slice(0, limit);
  }

  override async stuck(kind: StuckKind, forMs: number, request: PageRequest) {
    const now = this.clock.now();
    const isStuck = (row: ApprovalRow) => {
      const since = stuckSince(row, kind);
      return since !== null && later(since, forMs) <= now;
    };
    return this.page(request, isStuck, ({ id }) => ({ id }));
  }

  override async settled(ids: readonly number[]) {
    return this.rows.filter((row) => ids.includes(row.id) && isSettled(row)).map(({ id }) => ({ id }));
  }

  override async dueNotifications(graceMs: number, limit: number) {
    const until = later(this.clock.now(), -graceMs);
    return this.idsWhere(
      { kind: 'claimNotification', leaseMs: 0 },
      ({ finishedAt }) => finishedAt !== null && finishedAt <= until,
    ).slice(0, limit);
  }

  override async encryptedToken(id: number) {
    return this.tables.approvals.find(id)?.encryptedToken ?? null;
  }

  private get rows(): readonly ApprovalRow[] {
    return [...this.tables.approvals];
  }

  /** The approvals that the command would change now. */
  private idsWhere(
    command: ApprovalCommand,
    matches: (row: ApprovalRow) => boolean = () => true,
  ): readonly ApprovalId[] {
    const now = this.clock.now();
    const due = this.rows.filter((row) => matches(row) && next(row, command, now).kind === 'changed');
    return due.map(({ id }) => ({ id }));
  }

  private newRow(call: NewApproval, dedupDigest: string, now: Date): ApprovalRow {
    return { ...begin(copyOf(call), now), id: this.tables.approvals.nextId, dedupDigest };
  }

  private insert(row: ApprovalRow, auditId: number): Approval {
    return shown(this.tables.approvals.insert({ ...row, auditId }));
  }

  private settleClaims({ status, reference, claims }: ApprovalRow) {
    if (claims.length === 0) return;
    if (status === 'approved') this.tables.budgets.reserve({ reference, claims }, this.clock.now());
    if (status === 'failed' || status === 'superseded') this.tables.budgets.release(reference);
  }

  private page<Shown>(
    request: PageRequest,
    matches: (row: ApprovalRow) => boolean,
    show: (row: ApprovalRow) => Shown,
  ): Page<Shown> {
    const { entries, ...rest } = this.tables.approvals.page(request, matches);
    return { ...rest, entries: entries.map(show) };
  }
}

/** A copy without what only the store reads. */
function shown({ dedupDigest: _digest, ...row }: ApprovalRow): Approval {
  return copyOf(approvalOf(row));
}

function byRisk(one: ApprovalRow, other: ApprovalRow) {
  return riskWeight(other.risk) - riskWeight(one.risk) || Number(one.expiresAt) - Number(other.expiresAt);
}

function shownOrNull(row: ApprovalRow | undefined): Approval | null {
  return row === undefined ? null : shown(row);
}

/**
 * Two calls are one approval if they are the same call of the same run; a rejection holds for every step.
 * Without a run they always differ.
 */
function isSameCall(row: ApprovalRow, call: CallIdentity, now: Date) {
  const isRequest = row.stepName === call.stepName && row.dedupDigest === call.argumentsDigest;
  const isRejected = row.status === 'rejected' && row.argumentsDigest === call.argumentsDigest;
  const isStanding = row.status === 'pending' ? isOpen(row, now) : !mayBeRequestedAgain(row);
  return (isRequest || isRejected) && isStanding && isOfSameRun(row, call);
}

/** Whether the call was requested under this approval. A proposal is no request of the model. */
function isRequestOf(row: ApprovalRow, call: CallIdentity): boolean {
  return (
    row.firstId === null &&
    row.stepName === call.stepName &&
    row.argumentsDigest === call.argumentsDigest &&
    isOfSameRun(row, call)
  );
}

function isOfSameRun(row: ApprovalRow, call: CallIdentity): boolean {
  return (
    row.runId !== null &&
    row.runId === call.runId &&
    row.tool === call.tool &&
    row.principalId === call.principalId &&
    row.application === call.application
  );
}

function matchesCall(
  row: ApprovalRow,
  { tool, principalId, application, runId, q, from, to }: CallFilter,
): boolean {
  const hasText = (stored: string | null, sought: string | undefined) =>
    sought === undefined || stored === scrubText(sought);
  return (
    hasText(row.tool, tool) &&
    hasText(row.principalId, principalId) &&
    hasText(row.application, application) &&
    hasText(row.runId, runId) &&
    (q === undefined || containsText(row.arguments, q)) &&
    (from === undefined || row.createdAt >= from) &&
    (to === undefined || row.createdAt <= to)
  );
}

function containsText(args: Approval['arguments'], part: string) {
  const inAscii = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return args !== null && inAscii(JSON.stringify(args)).includes(inAscii(jsonFragment(part)));
}

function matchesFilter(row: ApprovalRow, { status, actor, ...call }: ApprovalFilter) {
  if (status === undefined ? row.status === 'pending' : row.status !== status) return false;
  if (!matchesCall(row, call)) return false;
  const actors = [row.decidedBy, row.resolvedBy, ...row.votes.map(({ actorId }) => actorId)];
  return actor === undefined || actors.includes(scrubText(actor));
}

function summaryOf(row: ApprovalRow): ApprovalSummary {
  const fields = Object.entries(shown(row)).filter(([name]) => isInSummary(name));
  return Object.fromEntries(fields) as unknown as ApprovalSummary;
}

/** When the approval got stuck, or `null` if it is not stuck in this way. */
function stuckSince(row: ApprovalRow, kind: StuckKind): Date | null {
  switch (kind) {
    case 'overdue':
      return row.status === 'pending' ? row.expiresAt : null;
    case 'unrun':
      return row.status === 'approved' ? row.decidedAt : null;
    case 'lost':
      return row.status === 'executing' ? row.leaseUntil : null;
    case 'restored':
      return null;
    default:
      return kind satisfies never;
  }
}
