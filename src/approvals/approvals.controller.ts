import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { DecisionBody, ProposalBody, ResolutionBody } from '#bodies/bodies.js';
import {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalProposalData,
  ApprovalResolutionData,
  HistoryQuery,
  PendingQuery,
} from '#contracts/approvals/approvals.api.js';
import type { ApprovalVerdict } from '#contracts/approvals/approvals.js';
import { ApprovalStore, type ApprovalFilter } from '#contracts/stores/approvals.store.js';
import { Clock } from '#contracts/common/clock.js';
import { ApprovalEditor } from '#engine/tools/approval-editor.js';
import { ApprovalService } from '#engine/controls/approvals/approval-service.js';
import {
  CurrentAuthor,
  CurrentReader,
  IdPipe,
  orNotFound,
  parseId,
  UntrustedQuery,
  type Author,
} from '../http/parameters.js';
import { withoutUndefined } from '../http/query-reader.js';
import { Answers } from '../openapi/answers.js';
import {
  presentDecision,
  presentDetail,
  presentHistory,
  presentPending,
  presentProposal,
  presentResolution,
} from './approvals.presenter.js';

@Controller('approvals')
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalStore,
    private readonly service: ApprovalService,
    private readonly editor: ApprovalEditor,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Answers('approvals.index', ApprovalListData, { summary: 'Pending calls, newest first, or by risk' })
  async index(
    @UntrustedQuery(PendingQuery) query: PendingQuery,
    @CurrentReader() reader: string | null,
  ): Promise<ApprovalListData> {
    const pending = await this.approvals.pending(query, filterOf(query));
    return presentPending(pending, this.service, this.service.rules.obstaclesFor(reader), this.clock.now());
  }

  @Get('history')
  @Answers('approvals.history', ApprovalHistoryData, {
    summary: 'Calls that are no longer pending, newest first',
  })
  async history(@UntrustedQuery(HistoryQuery) query: HistoryQuery): Promise<ApprovalHistoryData> {
    return presentHistory(await this.approvals.history(filterOf(query), query), this.service);
  }

  @Get(':approval_id')
  @Answers('approvals.show', ApprovalDetailData, { summary: 'One approval, in any state' })
  async show(
    @Param('approval_id', IdPipe) id: number,
    @CurrentReader() reader: string | null,
  ): Promise<ApprovalDetailData> {
    const approval = orNotFound(await this.approvals.find(id));
    const { supersedes } = approval;
    const superseded = supersedes === null ? null : await this.approvals.find(supersedes);
    return presentDetail(approval, superseded, this.service, this.service.rules.obstaclesFor(reader));
  }

  @Post(':token/approve')
  @Answers('approvals.approve', ApprovalDecisionData, {
    summary: 'Approve a pending call and run it',
    description:
      'If the policy requires several approvers, the call stays pending until the last one approves. If the same actor approves again, the answer is the stored outcome. Unknown members of the body are refused; `actor` is ignored.',
    errors: [
      'already_decided',
      'executing',
      'superseded',
      'hitl_unavailable',
      'self_approval',
      'expired',
      'approver_check_failed',
    ],
  })
  approve(
    @Param('token') token: string,
    @Body() input: DecisionBody,
    @CurrentAuthor() author: Author,
  ): Promise<ApprovalDecisionData> {
    return this.decide(token, 'approved', input, author);
  }

  @Post(':token/reject')
  @Answers('approvals.reject', ApprovalDecisionData, {
    summary: 'Reject a pending call',
    description:
      'Also works while Approvals are off. If the same actor rejects again, the answer is the stored outcome. Unknown members of the body are refused; `actor` is ignored.',
    errors: ['already_decided', 'superseded', 'expired', 'approver_check_failed'],
  })
  reject(
    @Param('token') token: string,
    @Body() input: DecisionBody,
    @CurrentAuthor() author: Author,
  ): Promise<ApprovalDecisionData> {
    return this.decide(token, 'rejected', input, author);
  }

  @Post(':approval_id/propose')
  @Answers('approvals.propose', ApprovalProposalData, {
    summary: 'Propose other arguments for a pending call',
    description:
      'Replaces a pending call by a new approval with the given arguments. Firewall, schema, owner keys and policy judge them like a new call of the same requester. The proposal always waits, for at least as many approvers of the same group, and its editor counts as a requester. Unknown members of the body are refused.',
    errors: ['already_decided', 'superseded', 'hitl_unavailable', 'expired', 'approver_check_failed'],
  })
  async propose(
    @Param('approval_id') id: string,
    @Body() { arguments: args, reason }: ProposalBody,
    @CurrentAuthor() { actor }: Author,
  ): Promise<ApprovalProposalData> {
    return presentProposal(
      await this.editor.propose(parseId(id), { arguments: args, reason, actorId: actor.id }),
      this.service,
    );
  }

  @Post(':approval_id/resolve')
  @Answers('approvals.resolve', ApprovalResolutionData, {
    summary: 'Resolve an unknown outcome',
    description:
      'Records the outcome that the system behind the tool shows. If the same actor repeats the same resolution, the answer is the stored one. Unknown members of the body are refused.',
    errors: ['already_decided', 'executing', 'superseded'],
  })
  async resolve(
    @Param('approval_id') id: string,
    @Body() { status, reason }: ResolutionBody,
    @CurrentAuthor() { actor }: Author,
  ): Promise<ApprovalResolutionData> {
    return presentResolution(await this.service.resolve(parseId(id), status, { actorId: actor.id, reason }));
  }

  private async decide(
    token: string,
    verdict: ApprovalVerdict,
    { reason = null, approval_id: id }: DecisionBody,
    { actor }: Author,
  ): Promise<ApprovalDecisionData> {
    const approval = await this.service.decide(token, verdict, {
      actorId: actor.id,
      reason,
      id: id ?? undefined,
    });
    return presentDecision(approval, verdict, actor.id, this.service);
  }
}

/** Stores filter by the names of an `Approval`. */
function filterOf({ principal_id: principalId, run_id: runId, ...filters }: HistoryQuery): ApprovalFilter {
  return withoutUndefined({ ...filters, principalId, runId });
}
