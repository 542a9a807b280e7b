import {
  ApprovalStore,
  type Approval,
  type DecideCommand,
  type DecideResult,
  type NewApproval,
  type RunEnd,
  type RunResult,
} from '../../../contracts/src/approvals.js';
import type { Decision } from '../../../contracts/src/audit.js';
import type { Clock } from '../../../contracts/src/clock.js';
import type { Page, PageRequest } from '../../../contracts/src/page.js';
import { scrubText } from '../../../contracts/src/text.js';
import {
  decided,
  executing,
  expired,
  finished,
  isOpen,
  isSameCall,
  mayFinish,
  parked,
} from './approval-steps.js';
import { copyOf } from './copy.js';
import type { MemoryTables } from './memory-tables.js';

type BuildEvidence = (approval: Approval) => Decision;

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
    const now = this.clock.now();
    const approval = parked(copyOf(call), this.tables.approvals.nextId, now);
    const open = [...this.tables.approvals].filter((other) => isOpen(other, now));

    const same = open.find((other) => isSameCall(other, approval));
    if (same !== undefined) return { approval: copyOf(same), created: false };

    const { principalId } = approval;
    if (principalId !== null && open.filter((other) => other.principalId === principalId).length >= maxOpen) {
      return null;
    }
    const decision = copyOf(evidence(copyOf(approval)));
    this.tables.approvals.insert(approval);
    this.tables.write(decision);
    return { approval: copyOf(approval), created: true };
  }

  override async pending(request: PageRequest): Promise<Page<Approval>> {
    const now = this.clock.now();
    return copyOf(this.tables.approvals.page(request, (approval) => isOpen(approval, now)));
  }

  override async find(id: number): Promise<Approval | null> {
    return copyOf(this.tables.approvals.find(id) ?? null);
  }

  override async findByTokenHash(tokenHash: string): Promise<Approval | null> {
    return copyOf(this.withTokenHash(tokenHash) ?? null);
  }

  override async decide(tokenHash: string, command: DecideCommand): Promise<DecideResult> {
    const approval = this.withTokenHash(tokenHash);
    if (approval === undefined) return { kind: 'unknown' };
    if (approval.status === 'expired') return { kind: 'expired', approval: copyOf(approval), moved: false };
    if (approval.status !== 'pending') return { kind: 'already_decided', approval: copyOf(approval) };

    const now = this.clock.now();
    if (!isOpen(approval, now)) {
      return { kind: 'expired', approval: this.step(expired(approval), command.evidence), moved: true };
    }
    return { kind: 'decided', approval: this.step(decided(approval, command, now), command.evidence) };
  }

  override async claim(id: number): Promise<Approval | null> {
    const approval = this.tables.approvals.find(id);
    if (approval?.status !== 'approved') return null;
    const next = executing(approval);
    this.tables.approvals.replace(next);
    return copyOf(next);
  }

  override async finish(
    id: number,
    end: RunEnd,
    result: RunResult,
    evidence: BuildEvidence,
  ): Promise<Approval | null> {
    const approval = this.tables.approvals.find(id);
    if (approval === undefined || !mayFinish(approval, end)) return null;
    return this.step(finished(approval, end, result, this.clock.now()), evidence);
  }

  /** Takes a step together with its evidence; where the evidence cannot be built, neither is written. */
  private step(taken: Approval, evidence: BuildEvidence): Approval {
    const next = copyOf(taken);
    const decision = copyOf(evidence(copyOf(next)));
    this.tables.approvals.replace(next);
    this.tables.write(decision);
    return copyOf(next);
  }

  private withTokenHash(tokenHash: string): Approval | undefined {
    const sought = scrubText(tokenHash);
    return [...this.tables.approvals].find((approval) => approval.tokenHash === sought);
  }
}
