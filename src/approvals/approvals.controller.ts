import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { IsIn, IsInt, IsObject, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
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
import { RESOLUTIONS, type ApprovalVerdict, type Resolution } from '#contracts/approvals/approvals.js';
import { ApprovalStore, type ApprovalFilter } from '#contracts/stores/approvals.store.js';
import { Clock } from '#contracts/common/clock.js';
import { ApprovalEditor } from '#engine/tools/approval-editor.js';
import { ApprovalService } from '#engine/controls/approvals/approval-service.js';
import {
  CurrentAuthor,
  CurrentReader,
  IdPipe,
  parseId,
  unknownId,
  UntrustedQuery,
  type Author,
} from '../http/parameters.js';
import { withoutUndefined } from '../http/query-reader.js';
import { RefuseUnknownMembers } from '../http/validation.pipe.js';
import { Answers } from '../openapi/answers.js';
import { Member } from '../openapi/body-schema.js';
import {
  presentDecision,
  presentDetail,
  presentHistory,
  presentPending,
  presentProposal,
  presentResolution,
} from './approvals.presenter.js';

const ID = { message: 'must be the id of an approval' };
const TEXT = { message: 'must be a string' };
const LENGTH = { message: 'must have at most 1000 characters' };

/** Unknown members are refused, so that edited `arguments` are not ignored silently. */
@RefuseUnknownMembers()
class DecideApprovalDto {
  @Member('Stored with the decision.', 'Confirmed with the customer by phone.')
  @IsOptional()
  @MaxLength(1000, LENGTH)
  @IsString(TEXT)
  readonly reason?: string | null;

  @Member('A token of another approval decides nothing.')
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, ID)
  @Min(1, ID)
  @IsInt(ID)
  readonly approval_id?: number | null;
}

@RefuseUnknownMembers()
class ResolveApprovalDto {
  @Member('The outcome of the call.', 'executed')
  @IsIn(RESOLUTIONS, { message: `must be one of ${RESOLUTIONS.join(', ')}` })
  readonly status!: Resolution;

  @Member('The evidence for the outcome.', 'The bank shows the payment under the idempotency key.')
  @MaxLength(1000, LENGTH)
  @Matches(/\S/, { message: 'must give the evidence for the outcome' })
  @IsString(TEXT)
  readonly reason!: string;
}

@RefuseUnknownMembers()
class ProposeDto {
  @Member('The complete arguments, for the same tool.', { order_id: 'A-1001', amount: 25 })
  @IsObject({ message: 'must be an object with the complete arguments' })
  readonly arguments!: Readonly<Record<string, unknown>>;

  @Member('Stored with the proposal.', 'Only one of the two items came back.')
  @MaxLength(1000, LENGTH)
  @Matches(/\S/, { message: 'must give the reason for the edit' })
  @IsString(TEXT)
  readonly reason!: string;
}

@Controller('approvals')
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalStore,
    private readonly service: ApprovalService,
    private readonly editor: ApprovalEditor,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Answers('approvals.index', ApprovalListData, { summary: 'Pending calls, newest first' })
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
    const approval = await this.approvals.find(id);
    if (approval === null) throw unknownId();
    const { supersedes } = approval;
    const superseded = supersedes === null ? null : await this.approvals.find(supersedes);
    return presentDetail(approval, superseded, this.service, this.service.rules.obstaclesFor(reader));
  }

  @Post(':token/approve')
  @HttpCode(200)
  @Answers('approvals.approve', ApprovalDecisionData, {
    summary: 'Approve a pending call and run it',
    description:
      'If the policy requires several approvers, the call stays pending until the last one approves. If the same actor approves again, the answer is the stored outcome. Unknown members of the body are refused; `actor` is ignored.',
    body: DecideApprovalDto,
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
    @Body() input: DecideApprovalDto,
    @CurrentAuthor() author: Author,
  ): Promise<ApprovalDecisionData> {
    return this.decide(token, 'approved', input, author);
  }

  @Post(':token/reject')
  @HttpCode(200)
  @Answers('approvals.reject', ApprovalDecisionData, {
    summary: 'Reject a pending call',
    description:
      'Also works while Approvals are off. If the same actor rejects again, the answer is the stored outcome. Unknown members of the body are refused; `actor` is ignored.',
    body: DecideApprovalDto,
    errors: ['already_decided', 'superseded', 'expired', 'approver_check_failed'],
  })
  reject(
    @Param('token') token: string,
    @Body() input: DecideApprovalDto,
    @CurrentAuthor() author: Author,
  ): Promise<ApprovalDecisionData> {
    return this.decide(token, 'rejected', input, author);
  }

  @Post(':approval_id/propose')
  @HttpCode(200)
  @Answers('approvals.propose', ApprovalProposalData, {
    summary: 'Propose other arguments for a pending call',
    description:
      'Replaces a pending call by a new approval with the given arguments. Firewall, schema, owner keys and policy judge them like a new call of the same requester. The proposal always waits, for at least as many approvers of the same group, and its editor counts as a requester. Unknown members of the body are refused.',
    body: ProposeDto,
    errors: ['already_decided', 'superseded', 'hitl_unavailable', 'expired', 'approver_check_failed'],
  })
  async propose(
    @Param('approval_id') id: string,
    @Body() { arguments: args, reason }: ProposeDto,
    @CurrentAuthor() { actor }: Author,
  ): Promise<ApprovalProposalData> {
    return presentProposal(
      await this.editor.propose(parseId(id), { arguments: args, reason, actorId: actor.id }),
      this.service,
    );
  }

  @Post(':approval_id/resolve')
  @HttpCode(200)
  @Answers('approvals.resolve', ApprovalResolutionData, {
    summary: 'Resolve an unknown outcome',
    description:
      'Records the outcome that the system behind the tool shows. If the same actor repeats the same resolution, the answer is the stored one. Unknown members of the body are refused.',
    body: ResolveApprovalDto,
    errors: ['already_decided', 'executing', 'superseded'],
  })
  async resolve(
    @Param('approval_id') id: string,
    @Body() { status, reason }: ResolveApprovalDto,
    @CurrentAuthor() { actor }: Author,
  ): Promise<ApprovalResolutionData> {
    return presentResolution(await this.service.resolve(parseId(id), status, { actorId: actor.id, reason }));
  }

  private async decide(
    token: string,
    verdict: ApprovalVerdict,
    { reason = null, approval_id: id }: DecideApprovalDto,
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
