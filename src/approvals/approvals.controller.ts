import { Body, Controller } from '@nestjs/common';
import type { ApprovalDecisionData, ApprovalListData } from '../../libs/contracts/src/api/api.responses.js';
import { ApprovalStore, type ApprovalVerdict } from '../../libs/contracts/src/approvals.js';
import { Clock } from '../../libs/contracts/src/clock.js';
import type { PageRequest } from '../../libs/contracts/src/page.js';
import { ApprovalDesk } from '../../libs/engine/src/approvals/approval-desk.js';
import { CurrentAuthor, Token, UntrustedQuery, type Author } from '../http/parameters.js';
import { Serves } from '../http/serves.decorator.js';
import { presentDecision, presentPending } from './approvals.presenter.js';
import { readApprovalsPage } from './approvals.query.js';
import { DecideApprovalDto } from './decide-approval.dto.js';

@Controller()
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalStore,
    private readonly desk: ApprovalDesk,
    private readonly clock: Clock,
  ) {}

  @Serves('approvals.index')
  async index(@UntrustedQuery(readApprovalsPage) page: PageRequest): Promise<ApprovalListData> {
    const waiting = await this.approvals.pending(page);
    return presentPending(waiting, (approval) => this.desk.tokenOf(approval), this.clock.now());
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

  private async decide(
    token: string,
    verdict: ApprovalVerdict,
    { reason = null }: DecideApprovalDto,
    { actor }: Author,
  ): Promise<ApprovalDecisionData> {
    return presentDecision(await this.desk.decide(token, verdict, { actor, reason }), verdict);
  }
}
