import { Body, Controller } from '@nestjs/common';
import type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalResolutionData,
} from '../../libs/contracts/src/api/approvals.responses.js';
import type { ApprovalVerdict } from '../../libs/contracts/src/approvals.js';
import { ApprovalStore } from '../../libs/contracts/src/approvals.store.js';
import { Clock } from '../../libs/contracts/src/clock.js';
import { GuardrailsError } from '../../libs/contracts/src/errors.js';
import type { PageRequest } from '../../libs/contracts/src/page.js';
import { ApprovalService } from '../../libs/engine/src/approvals/approval-service.js';
import { ApprovalId, CurrentAuthor, Token, UntrustedQuery, type Author } from '../http/parameters.js';
import { Serves } from '../http/serves.decorator.js';
import {
  presentDecision,
  presentDetail,
  presentHistory,
  presentPending,
  presentResolution,
} from './approvals.presenter.js';
import { readApprovalsPage, readHistoryQuery, type HistoryQuery } from './approvals.query.js';
import { DecideApprovalDto } from './decide-approval.dto.js';
import { ResolveApprovalDto } from './resolve-approval.dto.js';

@Controller()
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalStore,
    private readonly desk: ApprovalService,
    private readonly clock: Clock,
  ) {}

  @Serves('approvals.index')
  async index(@UntrustedQuery(readApprovalsPage) page: PageRequest): Promise<ApprovalListData> {
    const waiting = await this.approvals.pending(page);
    return presentPending(waiting, this.desk, this.clock.now());
  }

  @Serves('approvals.history')
  async history(
    @UntrustedQuery(readHistoryQuery) { filter, page }: HistoryQuery,
  ): Promise<ApprovalHistoryData> {
    return presentHistory(await this.approvals.history(filter, page));
  }

  @Serves('approvals.show')
  async show(@ApprovalId() id: number | null): Promise<ApprovalDetailData> {
    const approval = await this.approvals.find(known(id));
    if (approval === null) throw unknownId();
    return presentDetail(approval, this.desk);
  }

  @Serves('approvals.approve')
  approve(
    @Token() token: string,
    @Body() input: DecideApprovalDto,
    @CurrentAuthor() author: Author,
  ): Promise<ApprovalDecisionData> {
    return this.decide(token, 'approved', input, author);
  }

  @Serves('approvals.reject')
  reject(
    @Token() token: string,
    @Body() input: DecideApprovalDto,
    @CurrentAuthor() author: Author,
  ): Promise<ApprovalDecisionData> {
    return this.decide(token, 'rejected', input, author);
  }

  @Serves('approvals.resolve')
  async resolve(
    @Body() { status, reason }: ResolveApprovalDto,
    @ApprovalId() id: number | null,
    @CurrentAuthor() { actor }: Author,
  ): Promise<ApprovalResolutionData> {
    return presentResolution(await this.desk.resolve(known(id), status, { actorId: actor.id, reason }));
  }

  private async decide(
    token: string,
    verdict: ApprovalVerdict,
    { reason = null }: DecideApprovalDto,
    { actor }: Author,
  ): Promise<ApprovalDecisionData> {
    return presentDecision(await this.desk.decide(token, verdict, { actorId: actor.id, reason }), verdict);
  }
}

function known(id: number | null): number {
  if (id === null) throw unknownId();
  return id;
}

function unknownId(): GuardrailsError {
  return new GuardrailsError('not_found', 'No approval has this id.');
}
