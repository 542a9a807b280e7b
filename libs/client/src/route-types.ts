import type { API_ROUTES, RouteAnswer, RouteBody, RouteKey } from '#contracts/api/api.routes.js';
import type {
  ApprovalDecisionData,
  ApprovalDetailData,
  ApprovalHistoryData,
  ApprovalListData,
  ApprovalProposalData,
  ApprovalResolutionData,
} from '#contracts/api/approvals.responses.js';
import type {
  EventDeadLettersData,
  EventReplayData,
  EventSinksData,
  EventTestData,
  TryPoliciesData,
  TrySanitizeData,
  TryScreenData,
} from '#contracts/api/responses.js';
import type { RuleListData, RulesBacktestData } from '#contracts/api/rules.responses.js';
import type { Resolution } from '#contracts/approvals.js';
import type { Rendering } from '#contracts/output.js';
import type { ScreenedOrigin } from '#contracts/screening.js';

/** Routes whose answer is one JSON envelope. */
export type CallKey = {
  [Key in RouteKey]: (typeof API_ROUTES)[Key] extends { readonly beside: true } ? never : Key;
}[RouteKey];

/** Routes whose answer is sent in parts, without a length. */
export type DownloadKey = {
  [Key in RouteKey]: (typeof API_ROUTES)[Key] extends { readonly bulk: true } ? Key : never;
}[RouteKey];

/** The answers of routes without `typed`. */
interface Answers {
  'rules.index': RuleListData;
  'rules.backtest': RulesBacktestData;
  'approvals.index': ApprovalListData;
  'approvals.history': ApprovalHistoryData;
  'approvals.show': ApprovalDetailData;
  'approvals.approve': ApprovalDecisionData;
  'approvals.reject': ApprovalDecisionData;
  'approvals.propose': ApprovalProposalData;
  'approvals.resolve': ApprovalResolutionData;
  'events.sinks': EventSinksData;
  'events.dead': EventDeadLettersData;
  'events.replay': EventReplayData;
  'events.test': EventTestData;
  'try.screen': TryScreenData;
  'try.sanitize': TrySanitizeData;
  'try.policies': TryPoliciesData;
}

type AnswerOf<Key extends CallKey> = Key extends keyof Answers ? Answers[Key] : RouteAnswer<Key>;

/** `data` of the answer of a route. */
export type RouteData<Key extends CallKey> = AnswerOf<Key> & {
  /** Names of query parameters that are unknown, repeated or arrays. They had no effect. */
  readonly ignored?: readonly string[];
};

/** A value, or nothing: members with `undefined` are not sent. */
type Optional<Members> = { readonly [Name in keyof Members]?: Members[Name] | null | undefined };

interface Bodies {
  'rules.backtest': { readonly candidate: object } & Optional<{
    from: string;
    to: string;
    filters: object;
    cursor: number;
  }>;
  'approvals.approve': Optional<{ reason: string; approval_id: number }>;
  'approvals.reject': Optional<{ reason: string; approval_id: number }>;
  'approvals.propose': { readonly arguments: object; readonly reason: string };
  'approvals.resolve': { readonly status: Resolution; readonly reason: string };
  'events.replay': { readonly sink: string } & Optional<{
    dead_letters: boolean;
    sequence: number;
    from: number;
    to: number;
  }>;
  'try.screen': { readonly prompt: string } & Optional<{
    application: string;
    origin: ScreenedOrigin;
    candidate: object;
  }>;
  'try.sanitize': { readonly text: string } & Optional<{ rendering: Rendering }>;
  'try.policies': { readonly policies: object } & Optional<{ from: string; to: string; cursor: number }>;
}

type PathOf<Key extends RouteKey> = (typeof API_ROUTES)[Key]['path'];

type ParameterOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

type PathMembers<Key extends RouteKey> = [ParameterOf<PathOf<Key>>] extends [never]
  ? object
  : { readonly params: Readonly<Record<ParameterOf<PathOf<Key>>, string | number>> };

type BodyOf<Key extends RouteKey> = Key extends keyof Bodies ? Bodies[Key] : RouteBody<Key>;

type BodyMembers<Key extends RouteKey> = (typeof API_ROUTES)[Key] extends { readonly body: 'none' }
  ? object
  : (typeof API_ROUTES)[Key] extends { readonly body: 'required' }
    ? { readonly body: BodyOf<Key> }
    : { readonly body?: BodyOf<Key> };

/** Parameters with `null`, `undefined` or an empty text are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The parts of a request that every route accepts. */
export interface CallOptions {
  readonly query?: Query | undefined;
  /** The ETag of the settings that a PUT replaces. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The path parameters, the body and the options of a call. */
export type CallRequest<Key extends RouteKey> = CallOptions & PathMembers<Key> & BodyMembers<Key>;

/** The request may be left out where nothing in it is required. */
export type CallArguments<Key extends RouteKey> =
  object extends CallRequest<Key>
    ? readonly [request?: CallRequest<Key>]
    : readonly [request: CallRequest<Key>];

/** Routes that answer in pages or slices, each with the cursor of the next one. */
export type PageKey = {
  [Key in CallKey]: RouteData<Key> extends { readonly next_cursor: number | null } ? Key : never;
}[CallKey];
