import type {
  Approval,
  ApprovalId,
  ApprovalStatus,
  ApprovalSummary,
  NewApproval,
  RunEnd,
  RunResult,
} from '#contracts/approvals/approvals.js';
import {
  ApprovalStore,
  type ApprovalFilter,
  type BuildEvidence,
  type CallFilter,
  type CallIdentity,
  type ClaimCommand,
  type DecideCommand,
  type DecideResult,
  type ProposeCommand,
  type ReminderKind,
  type ResolveCommand,
  type StuckKind,
} from '#contracts/stores/approvals.store.js';
import type { Clock } from '#contracts/common/clock.js';
import type { Page, PageRequest } from '#contracts/common/page.js';
import { scrubText } from '#contracts/common/text.js';
import {
  matchesCall,
  matchesFilter,
  isSettled,
  isStuck,
  isDueForNotification,
  isDueForReminder,
  summary,
  decide,
  execute,
  expire,
  finish,
  isLost,
  isOpen,
  isOverdue,
  isRunBy,
  later,
  resolve,
  approvalOf,
  supersede,
  type ApprovalRow,
  hasTooManyPending,
  isRequestOf,
  isSameCall,
  park,
  replace,
} from './approval-transitions.js';
import { copyOf, type MemoryTables } from './memory-tables.js';

const NOTHING: RunResult = { result: null, error: null };

export class MemoryApprovalStore extends ApprovalStore {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async park(
    call: NewApproval,
    evidence: BuildEvidence,
    maxOpen: number,
  ): Promise<{ readonly approval: Approval; readonly created: boolean } | null> {
    const { approvals } = this.tables;
    const now = this.clock.now();
    const row = park(copyOf(call), approvals.nextId, now);
    const others = [...approvals];
    const same = others.find((other) => isSameCall(other, row, now));
    if (same !== undefined) return { approval: copyOf(approvalOf(same)), created: false };
    if (hasTooManyPending(others, row, maxOpen, now)) return null;
    const decision = copyOf(evidence(copyOf(approvalOf(row))));
    const parked = approvals.insert({ ...row, auditId: this.tables.write(decision) });
    return { approval: copyOf(approvalOf(parked)), created: true };
  }

  override async findSame(call: CallIdentity): Promise<Approval | null> {
    const [sought, now] = [copyOf(call), this.clock.now()];
    return answer([...this.tables.approvals].find((row) => isSameCall(row, sought, now)));
  }

  override async findLast(call: CallIdentity): Promise<Approval | null> {
    const sought = copyOf(call);
    return answer([...this.tables.approvals].findLast((row) => isRequestOf(row, sought)));
  }

  override async pending(request: PageRequest, filter: CallFilter = {}): Promise<Page<Approval>> {
    const now = this.clock.now();
    const matches = (approval: Approval): boolean => isOpen(approval, now) && matchesCall(approval, filter);
    return this.page(request, matches, approvalOf);
  }

  override async history(filter: ApprovalFilter, request: PageRequest): Promise<Page<ApprovalSummary>> {
    return this.page(
      request,
      (approval) => matchesFilter(approval, filter),
      (row) => summary(approvalOf(row)),
    );
  }

  override async find(id: number): Promise<Approval | null> {
    return answer(this.tables.approvals.find(id));
  }

  override async findByTokenHash(tokenHash: string): Promise<Approval | null> {
    return answer(this.withTokenHash(tokenHash));
  }

  override async decide(tokenHash: string, command: DecideCommand): Promise<DecideResult> {
    const row = this.withTokenHash(tokenHash);
    if (row === undefined) return { kind: 'unknown' };
    const approval = copyOf(approvalOf(row));
    if (row.status === 'expired') return { kind: 'expired', approval, moved: false };
    if (row.status !== 'pending') return { kind: 'already_decided', approval };

    const now = this.clock.now();
    if (!isOpen(row, now))
      return { kind: 'expired', approval: this.commit(expire(row, now), command.evidence), moved: true };
    const { vote } = command;
    if (vote !== undefined && vote.afterCount !== row.voteCount) return { kind: 'outdated', approval };
    const kind = vote?.isLast === false ? 'voted' : 'decided';
    return { kind, approval: this.commit(decide(row, command, now), command.evidence) };
  }

  override async claim(id: number, { leaseMs, withinMs, objection }: ClaimCommand): Promise<Approval | null> {
    const [row, now] = [this.tables.approvals.find(id), this.clock.now()];
    if (row?.status !== 'approved' || isStuck(row, 'unrun', withinMs, now)) return null;
    const claimed = execute(row, leaseMs, now);
    const evidence = objection(copyOf(approvalOf(claimed)));
    return evidence === null
      ? this.replace(claimed)
      : this.commit(supersede(row, NOTHING, now), () => evidence);
  }

  override async claimAgain(id: number, fence: number, leaseMs: number): Promise<Approval | null> {
    const [row, now] = [this.tables.approvals.find(id), this.clock.now()];
    if (row === undefined || !isRunBy(row, fence) || !isLost(row, now)) return null;
    return this.replace(execute(row, leaseMs, now));
  }

  override async renew(id: number, fence: number, leaseMs: number): Promise<boolean> {
    const row = this.tables.approvals.find(id);
    if (row === undefined || !isRunBy(row, fence)) return false;
    this.replace({ ...execute(row, leaseMs, this.clock.now()), fence });
    return true;
  }

  override async finish(
    id: number,
    fence: number,
    end: RunEnd,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    const next = (row: ApprovalRow, now: Date) => finish(row, end, result, now);
    return this.transition(id, (row) => isRunBy(row, fence), next, evidence);
  }

  override async markUnknown(
    id: number,
    fence: number,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    const isFree = (row: ApprovalRow, now: Date): boolean => isRunBy(row, fence) && isLost(row, now);
    return this.transition(id, isFree, (row, now) => finish(row, 'outcome_unknown', result, now), evidence);
  }

  override async supersede(id: number, result: RunResult, evidence: BuildEvidence): Promise<Approval | null> {
    const next = (row: ApprovalRow, now: Date): ApprovalRow => supersede(row, result, now);
    return this.transition(id, ({ status }) => status === 'approved', next, evidence);
  }

  override async expire(id: number, evidence: BuildEvidence): Promise<Approval | null> {
    return this.transition(id, isOverdue, expire, evidence);
  }

  override async dueReminders(
    kind: ReminderKind,
    afterMs: number,
    limit: number,
  ): Promise<readonly ApprovalId[]> {
    const now = this.clock.now();
    const due = [...this.tables.approvals].filter((row) => isDueForReminder(row, kind, afterMs, now));
    return due.slice(0, limit).map(({ id }) => ({ id }));
  }

  override async remind(
    id: number,
    kind: ReminderKind,
    afterMs: number,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    const isDue = (row: ApprovalRow, now: Date): boolean => isDueForReminder(row, kind, afterMs, now);
    const next = (row: ApprovalRow): ApprovalRow => ({ ...row, reminders: [...row.reminders, kind] });
    return this.transition(id, isDue, next, evidence);
  }

  override async propose(
    id: number,
    { call, evidence, supersession }: ProposeCommand,
  ): Promise<{ readonly superseded: Approval; readonly proposed: Approval } | null> {
    const { approvals } = this.tables;
    const [row, now] = [approvals.find(id), this.clock.now()];
    if (row === undefined || !isOpen(row, now)) return null;
    const next = { ...park(copyOf(call), approvals.nextId, now), dedupDigest: row.dedupDigest };
    const old = replace(row, next.id, now);
    const decisions = [
      copyOf(supersession(copyOf(approvalOf(old)))),
      copyOf(evidence(copyOf(approvalOf(next)))),
    ] as const;
    approvals.replace(old);
    this.tables.write(decisions[0]);
    const proposed = approvals.insert({ ...next, auditId: this.tables.write(decisions[1]) });
    return { superseded: copyOf(approvalOf(old)), proposed: copyOf(approvalOf(proposed)) };
  }

  override async resolve(id: number, command: ResolveCommand): Promise<Approval | null> {
    const next = (row: ApprovalRow, now: Date): ApprovalRow => resolve(row, command, now);
    return this.transition(id, ({ status }) => status === 'outcome_unknown', next, command.evidence);
  }

  override async stuck(kind: StuckKind, forMs: number, request: PageRequest): Promise<Page<ApprovalId>> {
    const now = this.clock.now();
    return this.page(
      request,
      (approval) => isStuck(approval, kind, forMs, now),
      ({ id }) => ({ id }),
    );
  }

  override async settled(ids: readonly number[]): Promise<readonly ApprovalId[]> {
    const found = ids.map((id) => this.tables.approvals.find(id));
    return found.flatMap((row) => (row !== undefined && isSettled(row) ? [{ id: row.id }] : []));
  }

  override async dueNotifications(graceMs: number, limit: number): Promise<readonly ApprovalId[]> {
    const now = this.clock.now();
    const due = [...this.tables.approvals].filter((row) => isDueForNotification(row, graceMs, now));
    return due.slice(0, limit).map(({ id }) => ({ id }));
  }

  override async claimNotification(id: number, leaseMs: number): Promise<Approval | null> {
    const [row, now] = [this.tables.approvals.find(id), this.clock.now()];
    if (row === undefined || !isDueForNotification(row, 0, now)) return null;
    return this.replace({
      ...row,
      notifyAttempts: row.notifyAttempts + 1,
      notifyLeaseUntil: later(now, leaseMs),
    });
  }

  override async retryNotification(id: number, status: ApprovalStatus, inMs: number): Promise<void> {
    const row = this.tables.approvals.find(id);
    if (row?.status === status) this.replace({ ...row, notifyLeaseUntil: later(this.clock.now(), inMs) });
  }

  override async markNotified(id: number, status: ApprovalStatus): Promise<void> {
    const row = this.tables.approvals.find(id);
    if (row?.status === status) this.replace({ ...row, notified: true });
  }

  override async encryptedToken(id: number): Promise<string | null> {
    return this.tables.approvals.find(id)?.encryptedToken ?? null;
  }

  private async transition(
    id: number,
    may: (row: ApprovalRow, now: Date) => boolean,
    next: (row: ApprovalRow, now: Date) => ApprovalRow,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    const [row, now] = [this.tables.approvals.find(id), this.clock.now()];
    return row !== undefined && may(row, now) ? this.commit(next(row, now), evidence) : null;
  }

  /** Builds the evidence before the first write, so that nothing is written if it throws. */
  private commit(taken: ApprovalRow, evidence: BuildEvidence): Approval {
    const next = copyOf(taken);
    const decision = copyOf(evidence(copyOf(approvalOf(next))));
    this.tables.approvals.replace(next);
    this.settleClaims(next);
    this.tables.write(decision);
    return copyOf(approvalOf(next));
  }

  private settleClaims({ status, reference, claims }: ApprovalRow): void {
    if (claims.length === 0) return;
    if (status === 'approved') this.tables.budgets.reserve({ reference, claims }, this.clock.now());
    if (status === 'failed' || status === 'superseded') this.tables.budgets.release(reference);
  }

  private replace(next: ApprovalRow): Approval {
    this.tables.approvals.replace(next);
    return copyOf(approvalOf(next));
  }

  private page<Shown>(
    request: PageRequest,
    matches: (row: ApprovalRow) => boolean,
    show: (row: ApprovalRow) => Shown,
  ): Page<Shown> {
    const { entries, ...rest } = this.tables.approvals.page(request, matches);
    return { ...rest, entries: entries.map((row) => copyOf(show(row))) };
  }

  private withTokenHash(tokenHash: string): ApprovalRow | undefined {
    const sought = scrubText(tokenHash);
    return [...this.tables.approvals].find((row) => row.tokenHash === sought);
  }
}

function answer(row: ApprovalRow | undefined): Approval | null {
  return row === undefined ? null : copyOf(approvalOf(row));
}
