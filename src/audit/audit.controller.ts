import { Controller } from '@nestjs/common';
import type {
  AuditDetailData,
  AuditListData,
  AuditTrendData,
} from '../../libs/contracts/src/api/responses.js';
import { AuditStore, type AuditFilter } from '../../libs/contracts/src/audit.js';
import { Clock } from '../../libs/contracts/src/clock.js';
import { GuardrailsError } from '../../libs/contracts/src/errors.js';
import { EntryId, UntrustedQuery } from '../http/parameters.js';
import { trendWindow } from '../http/query/time-window.js';
import { Serves } from '../http/serves.decorator.js';
import { presentAuditEntry, presentAuditList, presentTrend } from './audit.presenter.js';
import { readAuditFilter, readAuditQuery, type AuditQuery } from './audit.query.js';

@Controller()
export class AuditController {
  constructor(
    private readonly audit: AuditStore,
    private readonly clock: Clock,
  ) {}

  @Serves('audit.index')
  async index(@UntrustedQuery(readAuditQuery) { filter, page }: AuditQuery): Promise<AuditListData> {
    return presentAuditList(await this.audit.list(filter, page));
  }

  @Serves('audit.trend')
  async trend(@UntrustedQuery(readAuditFilter) filter: AuditFilter): Promise<AuditTrendData> {
    const window = trendWindow(filter, this.clock.now());
    return presentTrend(await this.audit.trend(filter, window), window);
  }

  @Serves('audit.show')
  async show(@EntryId() id: number): Promise<AuditDetailData> {
    const entry = await this.audit.find(id);
    if (entry === null) throw new GuardrailsError('not_found', 'No entry has this id.');
    return presentAuditEntry(entry);
  }
}
