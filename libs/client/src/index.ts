export type { RouteKey } from '#contracts/api/api.routes.js';
export type { ErrorCode, FieldErrors } from '#contracts/common/errors.js';
export type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalFacts,
  PendingApproval,
} from '#contracts/approvals/approvals.api.js';
export type { AuditFacetsData, AuditTrendData } from '#contracts/audit/counts.js';
export type { AuditDetailData, AuditEntryData, AuditListItem } from '#contracts/audit/entry.js';
export type { DeadLetterData, EventData, EventSinksData } from '#contracts/events/events.api.js';
export type { FirewallListData } from '#contracts/firewall/firewall.api.js';
export type { HoldData } from '#contracts/retention/holds.api.js';
export type { MeData } from '#contracts/api/me.js';
export type { OutputStatsData } from '#contracts/output/output.api.js';
export type { OverviewData } from '#contracts/overview/overview.api.js';
export type {
  SettingChangeData,
  SettingSchemaData,
  SettingsData,
  SettingsPreviewData,
} from '#contracts/settings/settings.api.js';
export type { RuleListData, RulesBacktestData } from '#contracts/screening/rules.api.js';
export type { TryPoliciesData, TrySanitizeData, TryScreenData } from '#contracts/api/try.js';
export { utf16Spans } from '#contracts/common/spans.js';
export {
  GuardrailsClient,
  type Answer,
  type CallArguments,
  type CallKey,
  type CallRequest,
  type ClientOptions,
  type PageKey,
  type Query,
  type RouteData,
} from './client.js';
export { ApiError, ConnectionError } from './errors.js';
export type { EventsOptions } from './live-stream.js';
