import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { IsIn, IsInt, IsObject, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalProposalData,
  ApprovalResolutionData,
} from '#contracts/api/approvals.responses.js';
import {
  HISTORY_STATUSES,
  RESOLUTIONS,
  type ApprovalStatus,
  type ApprovalVerdict,
  type Resolution,
} from '#contracts/approvals.js';
import { ApprovalStore, type ApprovalFilter, type CallFilter } from '#contracts/approvals.store.js';
import { Clock } from '#contracts/clock.js';
import { invalid } from '#contracts/settings/setting-kinds.js';
import { ApprovalEditor } from '#engine/approval-editor.js';
import { ApprovalService } from '#engine/approvals/approval-service.js';
import {
  CurrentAuthor,
  CurrentReader,
  IdPipe,
  parseId,
  unknownId,
  UntrustedQuery,
  type Author,
} from '../http/parameters.js';
import {
  choice,
  filterText,
  withoutUndefined,
  type QueryKind,
  type ListQuery,
  type QueryReader,
} from '../http/query-reader.js';
import { RefuseUnknownMembers } from '../http/validation.pipe.js';
import {
  presentDecision,
  presentDetail,
  presentHistory,
  presentPending,
  presentProposal,
  presentResolution,
} from './approvals.presenter.js';

/** A page of pending approvals shows as many as one page can hold. */
const PENDING_LIMIT = 200;
const ID = { message: 'must be the id of an approval' };
const TEXT = { message: 'must be a string' };
const LENGTH = { message: 'must have at most 1000 characters' };

/** Unknown members are refused, so that edited `arguments` are not ignored silently. */
@RefuseUnknownMembers()
class DecideApprovalDto {
  /** Stored with the decision. */
  @Expose()
  @IsOptional()
  @MaxLength(1000, LENGTH)
  @IsString(TEXT)
  readonly reason?: string | null;

  /** The approval that the token is meant for: a token of another one decides nothing. */
  @Expose()
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, ID)
  @Min(1, ID)
  @IsInt(ID)
  readonly approval_id?: number | null;
}

@RefuseUnknownMembers()
class ResolveApprovalDto {
  /** The outcome of the call. */
  @Expose()
  @IsIn(RESOLUTIONS, { message: `must be one of ${RESOLUTIONS.join(', ')}` })
  readonly status!: Resolution;

  /** The evidence for the outcome; stored with the approval. */
  @Expose()
  @MaxLength(1000, LENGTH)
  @Matches(/\S/, { message: 'must give the evidence for the outcome' })
  @IsString(TEXT)
  readonly reason!: string;
}

@RefuseUnknownMembers()
class ProposeDto {
  /** The complete arguments of the call, as a model would send them. */
  @Expose()
  @IsObject({ message: 'must be an object with the complete arguments' })
  readonly arguments!: Readonly<Record<string, unknown>>;

  /** Why the call was edited; stored with the proposal. */
  @Expose()
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
  async index(
    @UntrustedQuery(readPendingQuery) { filter, page }: ListQuery<CallFilter>,
    @CurrentReader() reader: string | null,
  ): Promise<ApprovalListData> {
    const pending = await this.approvals.pending(page, filter);
    return presentPending(pending, this.service, this.service.rules.obstaclesFor(reader), this.clock.now());
  }

  @Get('history')
  async history(
    @UntrustedQuery(readHistoryQuery) { filter, page }: ListQuery<ApprovalFilter>,
  ): Promise<ApprovalHistoryData> {
    return presentHistory(await this.approvals.history(filter, page), this.service);
  }

  @Get(':approval_id')
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
  approve(
    @Param('token') token: string,
    @Body() input: DecideApprovalDto,
    @CurrentAuthor() author: Author,
  ): Promise<ApprovalDecisionData> {
    return this.decide(token, 'approved', input, author);
  }

  @Post(':token/reject')
  @HttpCode(200)
  reject(
    @Param('token') token: string,
    @Body() input: DecideApprovalDto,
    @CurrentAuthor() author: Author,
  ): Promise<ApprovalDecisionData> {
    return this.decide(token, 'rejected', input, author);
  }

  @Post(':approval_id/propose')
  @HttpCode(200)
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

function readPendingQuery(query: QueryReader): ListQuery<CallFilter> {
  return { filter: readCallFilter(query), page: query.readPage(PENDING_LIMIT) };
}

function readHistoryQuery(query: QueryReader): ListQuery<ApprovalFilter> {
  const filter = withoutUndefined({
    status: query.read('status', decidedStatus),
    actor: query.read('actor', filterText),
  });
  return { filter: { ...filter, ...readCallFilter(query) }, page: query.readPage() };
}

const decidedStatus: QueryKind<ApprovalStatus> = (text) =>
  text === 'pending'
    ? invalid('must not be pending: GET /approvals lists the calls that wait')
    : choice(HISTORY_STATUSES)(text);

function readCallFilter(query: QueryReader): CallFilter {
  const texts = withoutUndefined({
    tool: query.read('tool', filterText),
    principalId: query.read('principal_id', filterText),
    application: query.read('application', filterText),
    runId: query.read('run_id', filterText),
    q: query.read('q', filterText),
  });
  return { ...texts, ...query.readRange() };
}
