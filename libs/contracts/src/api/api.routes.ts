import { AUDIT_ROUTES } from '../audit/routes.js';
import { ask, change, read, typed, type ApiRoute } from '../common/route.js';
import type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalProposalData,
  ApprovalResolutionData,
} from '../approvals/approvals.api.js';
import type {
  EventData,
  EventDeadLettersData,
  EventReplayData,
  EventSinksData,
  EventTestData,
} from '../events/events.api.js';
import type { FirewallListData, FirewallReasonsData } from '../firewall/firewall.api.js';
import type { FreezeData, FreezeLiftData, FreezeListData } from '../freeze/freezes.api.js';
import type { HoldData, HoldListData } from '../retention/holds.api.js';
import type { MeData } from './me.js';
import type { OutputStatsData } from '../output/output.api.js';
import type { RunDetailData, RunListData } from '../audit/runs.api.js';
import type { RuleListData, RulesBacktestData } from '../screening/rules.api.js';
import type { TryPoliciesData, TrySanitizeData, TryScreenData } from './try.js';
import type { OverviewData } from '../overview/overview.api.js';
import type {
  SettingsChangesData,
  SettingsData,
  SettingsPreviewData,
  SettingsUpdateData,
} from '../settings/settings.api.js';

/** The version of the envelope. */
export const SCHEMA_VERSION = 'guardrails.api.v1';

export type { ApiRoute } from '../common/route.js';

/** The list of routes. Order matters: fixed paths precede parameters. */
export const API_ROUTES = {
  me: { ...read('/me', 'me'), readsActor: true, ...typed<MeData>() },
  overview: { ...read('/overview', 'overview'), ...typed<OverviewData>() },
  metrics: { ...read('/metrics', 'metrics'), beside: true, plain: true, ...typed<string>() },
  ...AUDIT_ROUTES,
  'runs.index': { ...read('/runs', 'run-list'), ...typed<RunListData>() },
  'runs.show': { ...read('/runs/:id', 'run-detail'), ...typed<RunDetailData>() },
  'firewall.index': { ...read('/firewall', 'firewall'), ...typed<FirewallListData>() },
  'firewall.reasons': { ...read('/firewall/reasons', 'firewall-reasons'), ...typed<FirewallReasonsData>() },
  'rules.index': { ...read('/rules', 'rule-list'), ...typed<RuleListData>() },
  'rules.backtest': {
    ...ask('/rules/backtest', 'rule-backtest', 'required'),
    takesSettings: true,
    ...typed<RulesBacktestData>(),
  },
  'output.stats': { ...read('/output/stats', 'output-stats'), ...typed<OutputStatsData>() },
  'approvals.index': {
    ...read('/approvals', 'approval-list'),
    readsActor: true,
    ...typed<ApprovalListData>(),
  },
  'approvals.history': { ...read('/approvals/history', 'approval-history'), ...typed<ApprovalHistoryData>() },
  'approvals.show': {
    ...read('/approvals/:approval_id', 'approval-detail'),
    readsActor: true,
    ...typed<ApprovalDetailData>(),
  },
  'approvals.approve': {
    ...change('/approvals/:token/approve', 'approval-decision', 'optional'),
    ...typed<ApprovalDecisionData>(),
  },
  'approvals.reject': {
    ...change('/approvals/:token/reject', 'approval-decision', 'optional'),
    ...typed<ApprovalDecisionData>(),
  },
  'approvals.propose': {
    ...change('/approvals/:approval_id/propose', 'approval-proposal', 'required'),
    ...typed<ApprovalProposalData>(),
  },
  'approvals.resolve': {
    ...change('/approvals/:approval_id/resolve', 'approval-resolution', 'required'),
    ...typed<ApprovalResolutionData>(),
  },
  'settings.show': { ...read('/settings', 'settings'), ...typed<SettingsData>() },
  'settings.update': {
    method: 'PUT',
    path: '/settings',
    endpoint: 'settings',
    writes: true,
    body: 'required',
    takesSettings: true,
    ...typed<SettingsUpdateData>(),
  },
  'settings.preview': {
    ...ask('/settings/preview', 'settings-preview', 'required'),
    takesSettings: true,
    ...typed<SettingsPreviewData>(),
  },
  'settings.changes': { ...read('/settings/changes', 'settings-changes'), ...typed<SettingsChangesData>() },
  'freeze.index': { ...read('/freeze', 'freeze-list'), ...typed<FreezeListData>() },
  'freeze.create': { ...change('/freeze', 'freeze', 'required'), ...typed<FreezeData>() },
  'freeze.lift': { ...change('/freeze/:id/lift', 'freeze-lift', 'required'), ...typed<FreezeLiftData>() },
  'holds.index': { ...read('/holds', 'hold-list'), ...typed<HoldListData>() },
  'holds.set': { ...change('/holds', 'hold', 'required'), ...typed<HoldData>() },
  'holds.release': { ...change('/holds/:id/release', 'hold', 'none'), ...typed<HoldData>() },
  'events.stream': {
    ...read('/events', 'event'),
    streams: true,
    beside: true,
    readsActor: true,
    ...typed<EventData>(),
  },
  'events.sinks': { ...read('/events/sinks', 'event-sinks'), ...typed<EventSinksData>() },
  'events.dead': {
    ...read('/events/sinks/:name/dead', 'event-dead-letters'),
    ...typed<EventDeadLettersData>(),
  },
  'events.replay': {
    ...change('/events/replay', 'event-replay', 'required'),
    ...typed<EventReplayData>(),
  },
  'events.test': { ...change('/events/sinks/:name/test', 'event-test', 'none'), ...typed<EventTestData>() },
  'try.screen': {
    ...ask('/try/screen', 'try-screen', 'required'),
    ...typed<TryScreenData>(),
  },
  'try.sanitize': {
    ...ask('/try/sanitize', 'try-sanitize', 'required'),
    ...typed<TrySanitizeData>(),
  },
  'try.policies': {
    ...ask('/try/policies', 'try-policies', 'required'),
    takesSettings: true,
    ...typed<TryPoliciesData>(),
  },
} as const satisfies Record<string, ApiRoute>;

/** The key of a route in `API_ROUTES`: its name without `guardrails.api.`. */
export type RouteKey = keyof typeof API_ROUTES;

/** The `data` of a successful answer of a route. */
export type RouteAnswer<Key extends RouteKey> = (typeof API_ROUTES)[Key] extends {
  readonly answers?: infer Answer;
}
  ? Answer
  : never;

/** The stable name of a route, such as `guardrails.api.audit.index`. */
export type RouteName = `guardrails.api.${RouteKey}`;

/** The keys of `API_ROUTES`, in their order. */
export const ROUTE_KEYS = Object.keys(API_ROUTES) as readonly RouteKey[];

/** Returns the stable name of a route. */
export function routeName(key: RouteKey): RouteName {
  return `guardrails.api.${key}`;
}

// The types below are on the wire, and clients use them. Times are ISO-8601 in UTC with milliseconds. Spans count UTF-8 bytes.

/** The members of every JSON response of the API. */
export interface Envelope<Data> {
  readonly schema_version: string;
  readonly schema: string;
  readonly data: Data;
}
