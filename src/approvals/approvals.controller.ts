import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalResolutionData,
} from '#contracts/api/approvals.responses.js';
import {
  APPROVAL_STATUSES,
  RESOLUTIONS,
  type ApprovalVerdict,
  type Resolution,
} from '#contracts/approvals.js';
import { ApprovalStore, type ApprovalFilter } from '#contracts/approvals.store.js';
import { Clock } from '#contracts/clock.js';
import type { PageRequest } from '#contracts/page.js';
import { ApprovalService } from '#engine/approvals/approval-service.js';
import {
  CurrentAuthor,
  IdPipe,
  parseId,
  unknownId,
  UntrustedQuery,
  type Author,
} from '../http/parameters.js';
import { choice, filterText, withoutUndefined, type QueryReader } from '../http/query-reader.js';
import { RefuseUnknownMembers } from '../http/validation.pipe.js';
import {
  presentDecision,
  presentDetail,
  presentHistory,
  presentPending,
  presentResolution,
} from './approvals.presenter.js';

/** A page of pending approvals shows as many as one page can hold. */
const PENDING_LIMIT = 200;

/** Unknown members are refused: a client that sends edited `arguments` must not believe that they ran. */
@RefuseUnknownMembers()
export class DecideApprovalDto {
  /** Stored with the decision. */
  @Expose()
  @IsOptional()
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @IsString({ message: 'must be a text' })
  readonly reason?: string | null;
}

@RefuseUnknownMembers()
export class ResolveApprovalDto {
  /** The outcome that the call turned out to have. */
  @Expose()
  @IsIn(RESOLUTIONS, { message: `must be one of ${RESOLUTIONS.join(', ')}` })
  readonly status!: Resolution;

  /** The evidence for the outcome; stored with the approval. */
  @Expose()
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @Matches(/\S/, { message: 'must give the evidence for the outcome' })
  @IsString({ message: 'must be a text' })
  readonly reason!: string;
}

interface HistoryQuery {
  readonly filter: ApprovalFilter;
  readonly page: PageRequest;
}

@Controller('approvals')
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalStore,
    private readonly desk: ApprovalService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async index(@UntrustedQuery(readPendingPage) page: PageRequest): Promise<ApprovalListData> {
    return presentPending(await this.approvals.pending(page), this.desk, this.clock.now());
  }

  @Get('history')
  async history(
    @UntrustedQuery(readHistoryQuery) { filter, page }: HistoryQuery,
  ): Promise<ApprovalHistoryData> {
    return presentHistory(await this.approvals.history(filter, page));
  }

  @Get(':approval_id')
  async show(@Param('approval_id', IdPipe) id: number): Promise<ApprovalDetailData> {
    const approval = await this.approvals.find(id);
    if (approval === null) throw unknownId();
    return presentDetail(approval, this.desk);
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

  @Post(':approval_id/resolve')
  @HttpCode(200)
  async resolve(
    @Param('approval_id') id: string,
    @Body() { status, reason }: ResolveApprovalDto,
    @CurrentAuthor() { actor }: Author,
  ): Promise<ApprovalResolutionData> {
    return presentResolution(await this.desk.resolve(parseId(id), status, { actorId: actor.id, reason }));
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

function readPendingPage(query: QueryReader): PageRequest {
  return query.readPage(PENDING_LIMIT);
}

function readHistoryQuery(query: QueryReader): HistoryQuery {
  const filter = withoutUndefined({
    status: query.read('status', choice(APPROVAL_STATUSES)),
    tool: query.read('tool', filterText),
    actor: query.read('actor', filterText),
  });
  return { filter, page: query.readPage() };
}
