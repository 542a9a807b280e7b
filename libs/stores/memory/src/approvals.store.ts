import type {
  Approval,
  ApprovalId,
  ApprovalStatus,
  ApprovalSummary,
  NewApproval,
  RunEnd,
  RunResult,
} from '../../../contracts/src/approvals.js';
import {
  ApprovalStore,
  type ApprovalFilter,
  type BuildEvidence,
  type ClaimCommand,
  type DecideCommand,
  type DecideResult,
  type ResolveCommand,
  type StuckKind,
} from '../../../contracts/src/approvals.store.js';
import type { Clock } from '../../../contracts/src/clock.js';
import type { Page, PageRequest } from '../../../contracts/src/page.js';
import { scrubText } from '../../../contracts/src/text.js';
import { fits, isSettled, isStuck, isUntold, summary } from './approval-reads.js';
import {
  decided,
  executing,
  expired,
  finished,
  isLost,
  isOpen,
  isOverdue,
  isRunBy,
  later,
  resolved,
  shown,
  superseded,
  type HeldApproval,
} from './approval-steps.js';
import { copyOf } from './copy.js';
import type { MemoryTables } from './memory-tables.js';
import { parkCall, type Parked } from './park-call.js';

const NOTHING: RunResult = { result: null, error: null };

export class MemoryApprovalStore extends ApprovalStore {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async park(call: NewApproval, evidence: BuildEvidence, maxOpen: number): Promise<Parked> {
    return parkCall(this.tables, call, evidence, maxOpen, this.clock.now());
  }

  override async pending(request: PageRequest): Promise<Page<Approval>> {
    const now = this.clock.now();
    return this.page(request, (approval) => isOpen(approval, now), shown);
  }

  override async history(filter: ApprovalFilter, request: PageRequest): Promise<Page<ApprovalSummary>> {
    return this.page(
      request,
      (approval) => fits(approval, filter),
      (held) => summary(shown(held)),
    );
  }

  override async find(id: number): Promise<Approval | null> {
    return answer(this.tables.approvals.find(id));
  }

  override async findByTokenHash(tokenHash: string): Promise<Approval | null> {
    return answer(this.withTokenHash(tokenHash));
  }

  override async decide(tokenHash: string, command: DecideCommand): Promise<DecideResult> {
    const held = this.withTokenHash(tokenHash);
    if (held === undefined) return { kind: 'unknown' };
    const approval = copyOf(shown(held));
    if (held.status === 'expired') return { kind: 'expired', approval, moved: false };
    if (held.status !== 'pending') return { kind: 'already_decided', approval };

    const now = this.clock.now();
    return isOpen(held, now)
      ? { kind: 'decided', approval: this.step(decided(held, command, now), command.evidence) }
      : { kind: 'expired', approval: this.step(expired(held, now), command.evidence), moved: true };
  }

  override async claim(id: number, { leaseMs, withinMs, objection }: ClaimCommand): Promise<Approval | null> {
    const [held, now] = [this.tables.approvals.find(id), this.clock.now()];
    if (held?.status !== 'approved' || isStuck(held, 'unrun', withinMs, now)) return null;
    const claimed = executing(held, leaseMs, now);
    const evidence = objection(copyOf(shown(claimed)));
    return evidence === null ? this.keep(claimed) : this.step(superseded(held, NOTHING, now), () => evidence);
  }

  override async claimAgain(id: number, fence: number, leaseMs: number): Promise<Approval | null> {
    const [held, now] = [this.tables.approvals.find(id), this.clock.now()];
    if (held === undefined || !isRunBy(held, fence) || !isLost(held, now)) return null;
    return this.keep(executing(held, leaseMs, now));
  }

  override async renew(id: number, fence: number, leaseMs: number): Promise<boolean> {
    const held = this.tables.approvals.find(id);
    if (held === undefined || !isRunBy(held, fence)) return false;
    this.keep({ ...executing(held, leaseMs, this.clock.now()), fence });
    return true;
  }

  override async finish(
    id: number,
    fence: number,
    end: RunEnd,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    const next = (held: HeldApproval, now: Date) => finished(held, end, result, now);
    return this.move(id, (held) => isRunBy(held, fence), next, evidence);
  }

  override async giveUp(
    id: number,
    fence: number,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    const isFree = (held: HeldApproval, now: Date): boolean => isRunBy(held, fence) && isLost(held, now);
    return this.move(id, isFree, (held, now) => finished(held, 'outcome_unknown', result, now), evidence);
  }

  override async supersede(id: number, result: RunResult, evidence: BuildEvidence): Promise<Approval | null> {
    const next = (held: HeldApproval, now: Date): HeldApproval => superseded(held, result, now);
    return this.move(id, ({ status }) => status === 'approved', next, evidence);
  }

  override async expire(id: number, evidence: BuildEvidence): Promise<Approval | null> {
    return this.move(id, isOverdue, expired, evidence);
  }

  override async resolve(id: number, command: ResolveCommand): Promise<Approval | null> {
    const next = (held: HeldApproval, now: Date): HeldApproval => resolved(held, command, now);
    return this.move(id, ({ status }) => status === 'outcome_unknown', next, command.evidence);
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
    return found.flatMap((held) => (held !== undefined && isSettled(held) ? [{ id: held.id }] : []));
  }

  override async untold(graceMs: number, limit: number): Promise<readonly ApprovalId[]> {
    const now = this.clock.now();
    const due = [...this.tables.approvals].filter((held) => isUntold(held, graceMs, now));
    return due.slice(0, limit).map(({ id }) => ({ id }));
  }

  override async takeOutcome(id: number, leaseMs: number): Promise<Approval | null> {
    const [held, now] = [this.tables.approvals.find(id), this.clock.now()];
    if (held === undefined || !isUntold(held, 0, now)) return null;
    return this.keep({ ...held, notifyAttempts: held.notifyAttempts + 1, tellingUntil: later(now, leaseMs) });
  }

  override async tellAgain(id: number, status: ApprovalStatus, inMs: number): Promise<void> {
    const held = this.tables.approvals.find(id);
    if (held?.status === status) this.keep({ ...held, tellingUntil: later(this.clock.now(), inMs) });
  }

  override async told(id: number, status: ApprovalStatus): Promise<void> {
    const held = this.tables.approvals.find(id);
    if (held?.status === status) this.keep({ ...held, told: true });
  }

  override async sealedToken(id: number): Promise<string | null> {
    return this.tables.approvals.find(id)?.encryptedToken ?? null;
  }

  override async forgetToken(id: number): Promise<void> {
    const held = this.tables.approvals.find(id);
    if (held !== undefined) this.keep({ ...held, encryptedToken: null });
  }

  private async move(
    id: number,
    may: (held: HeldApproval, now: Date) => boolean,
    next: (held: HeldApproval, now: Date) => HeldApproval,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    const [held, now] = [this.tables.approvals.find(id), this.clock.now()];
    return held !== undefined && may(held, now) ? this.step(next(held, now), evidence) : null;
  }

  /** Takes a step together with its evidence; where the evidence cannot be built, neither is written. */
  private step(taken: HeldApproval, evidence: BuildEvidence): Approval {
    const next = copyOf(taken);
    const decision = copyOf(evidence(copyOf(shown(next))));
    this.tables.approvals.replace(next);
    this.tables.write(decision);
    return copyOf(shown(next));
  }

  private keep(next: HeldApproval): Approval {
    this.tables.approvals.replace(next);
    return copyOf(shown(next));
  }

  private page<Shown>(
    request: PageRequest,
    matches: (held: HeldApproval) => boolean,
    show: (held: HeldApproval) => Shown,
  ): Page<Shown> {
    const { entries, ...rest } = this.tables.approvals.page(request, matches);
    return { ...rest, entries: entries.map((held) => copyOf(show(held))) };
  }

  private withTokenHash(tokenHash: string): HeldApproval | undefined {
    const sought = scrubText(tokenHash);
    return [...this.tables.approvals].find((held) => held.tokenHash === sought);
  }
}

function answer(held: HeldApproval | undefined): Approval | null {
  return held === undefined ? null : copyOf(shown(held));
}
