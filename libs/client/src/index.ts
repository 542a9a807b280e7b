export { API_ROUTES, type Envelope, type ErrorData, type RouteKey } from '#contracts/api/api.routes.js';
export { BACKTEST_CONTROLS } from '#contracts/api/rules.responses.js';
export { ERROR_CODES, type ErrorCode, type FieldErrors } from '#contracts/errors.js';
export type * from '#contracts/api/approvals.responses.js';
export type { AuditFacetsData, AuditTrendData, TrendPointData } from '#contracts/audit/counts.js';
export type {
  AuditDetailData,
  AuditEntryData,
  AuditExportLine,
  AuditListData,
  AuditListItem,
  AuditLogLine,
  MatchedRuleData,
} from '#contracts/audit/entry.js';
export type { AuditExceptionData, AuditReviewData, ReviewData } from '#contracts/audit/review.js';
export type { FirewallListData, FirewallReasonsData } from '#contracts/api/firewall.js';
export type { HoldData, HoldListData } from '#contracts/api/holds.js';
export type { MeData } from '#contracts/api/me.js';
export type { OutputStatsData } from '#contracts/api/output.js';
export type { OverviewData } from '#contracts/api/overview.js';
export type {
  SettingChangeData,
  SettingSchemaData,
  SettingsChangesData,
  SettingsData,
  SettingsPreviewData,
  SettingsUpdateData,
} from '#contracts/api/settings.js';
export type * from '#contracts/api/responses.js';
export type * from '#contracts/api/rules.responses.js';
export { GuardrailsClient, type Answer, type ClientOptions } from './client.js';
export { ApiError, ConnectionError } from './errors.js';
export type { EventsOptions } from './live-stream.js';
export type {
  CallArguments,
  CallKey,
  CallOptions,
  CallRequest,
  PageKey,
  Query,
  RouteData,
} from './route-types.js';
