export { API_ROUTES, type Envelope, type ErrorData, type RouteKey } from '#contracts/api/api.routes.js';
export { BACKTEST_CONTROLS, type BacktestControl } from '#contracts/common/control-mode.js';
export { ERROR_CODES, type ErrorCode, type FieldErrors } from '#contracts/common/errors.js';
export type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalFacts,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalPolicyData,
  ApprovalProposalData,
  ApprovalRecordData,
  ApprovalResolutionData,
  ApprovalReview,
  ArgumentChange,
  CannotDecide,
  PendingApproval,
} from '#contracts/approvals/approvals.api.js';
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
export type {
  DeadLetterData,
  EventData,
  EventDeadLettersData,
  EventReplayData,
  EventSinksData,
  EventTestData,
  StreamEndData,
} from '#contracts/events/events.api.js';
export type { FirewallListData, FirewallReasonsData } from '#contracts/firewall/firewall.api.js';
export type { HoldData, HoldListData } from '#contracts/retention/holds.api.js';
export type { MeData } from '#contracts/api/me.js';
export type { OutputStatsData } from '#contracts/output/output.api.js';
export type { OverviewData } from '#contracts/overview/overview.api.js';
export type {
  SettingChangeData,
  SettingSchemaData,
  SettingsChangesData,
  SettingsData,
  SettingsPreviewData,
  SettingsUpdateData,
} from '#contracts/settings/settings.api.js';
export type {
  BacktestChangesData,
  BacktestObstacle,
  RuleActivity,
  RuleListData,
  RulesBacktestData,
} from '#contracts/screening/rules.api.js';
export type { ReplayObstacle, TryPoliciesData, TrySanitizeData, TryScreenData } from '#contracts/api/try.js';
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
