import { ask, change, read, typed } from '../common/route.js';
import type { ReviewVerdict } from './review.store.js';
import type { AuditFacetsData, AuditTrendData } from './counts.js';
import type { AuditDetailData, AuditExportLine, AuditListData, AuditLogLine } from './entry.js';
import type { AuditExceptionData, AuditReviewData } from './review.js';

export interface ReviewBody {
  readonly verdict: ReviewVerdict;
  readonly note?: string | null | undefined;
}

export const AUDIT_ROUTES = {
  'audit.index': { ...read('/audit', 'audit-list'), ...typed<AuditListData>() },
  'audit.trend': { ...read('/audit/trend', 'audit-trend'), ...typed<AuditTrendData>() },
  'audit.facets': { ...read('/audit/facets', 'audit-facets'), ...typed<AuditFacetsData>() },
  'audit.show': { ...read('/audit/:id', 'audit-detail'), ...typed<AuditDetailData>() },
  'audit.review': {
    ...change('/audit/:id/review', 'audit-review', 'required'),
    ...typed<AuditReviewData, ReviewBody>(),
  },
  'audit.exception': {
    ...ask('/audit/:id/exception', 'audit-exception', 'none'),
    ...typed<AuditExceptionData>(),
  },
  'audit.export': {
    ...read('/export/audit', 'audit-export'),
    beside: true,
    bulk: true,
    ...typed<AuditExportLine>(),
  },
  'audit.log': { ...read('/export/log', 'audit-log'), beside: true, bulk: true, ...typed<AuditLogLine>() },
} as const;
