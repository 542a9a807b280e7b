import type {
  ExecutionContext,
  InjectionToken,
  ModuleMetadata,
  OptionalFactoryDependency,
  Type,
} from '@nestjs/common';
import type { ApprovalNotifier, ApproverGroups } from '#contracts/approvals/approvals.js';
import type { Clock } from '#contracts/common/clock.js';
import type { EventSink } from '#contracts/events/event-sink.js';
import type { Tool, ToolAuthorizer } from '#contracts/firewall/firewall.js';
import type { Detector } from '#contracts/output/output.js';
import type { Screener } from '#contracts/screening/screening.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import type { GivenSettings } from '#standalone/configured-settings.js';
import type { RunContext } from '#contracts/screening/screening.js';
import type { AccessEntry } from '../http/access.guard.js';
import type { ActorResolver } from '../http/actor.guard.js';
import type { PermissionResolver } from '../me/me.controller.js';

/** The caller of a handler: an id, `null` for an anonymous caller, or an id with further facts for the records. */
export type Principal =
  | string
  | number
  | null
  | undefined
  | (Omit<RunContext, 'principalId'> & { readonly principalId: string | number | null | undefined });

/** Derives the principal of a decorated handler. `undefined`, or an empty id, refuses the call. */
export type PrincipalResolver = (context: ExecutionContext) => Principal | Promise<Principal>;

/** How the admin API is mounted. */
export interface ApiOptions {
  /** Mounts the API. Environment: `GUARDRAILS_API_ENABLED`. Default `false`: no route is registered. */
  readonly enabled?: boolean;
  /** The path under which all routes are mounted; ends in `/api`. Environment: `GUARDRAILS_API_PREFIX`. Default `guardrails/api`. */
  readonly prefix?: string;
  /**
   * Your authentication and authorization. The entries run in this order on every request: guards, middleware,
   * their classes, injection tokens, functions `(request, response, next)`. A literal `false` is dropped. An enabled
   * API with an empty list does not start.
   */
  readonly middleware?: readonly AccessEntry[];
  /** Derives the actor from the authenticated request. Default: `request.user.id`, else `request.user.sub`. */
  readonly actor?: ActorResolver;
  /**
   * Whether the caller may use a route, for the answer of GET /me: clients disable what is not permitted. It grants and refuses nothing; the entries of `middleware` decide about each request. Default: unknown (`null`).
   */
  readonly permits?: PermissionResolver;
  /**
   * Serves the API and the panel on a port of their own instead of mounting them, in any application: Express, Fastify,
   * a worker, a microservice. Only `middleware` protects this port. Default: mounted in the host's Express application.
   */
  readonly listen?: ListenOptions;
}

export interface ListenOptions {
  /** `0` chooses a free port, which is logged. */
  readonly port: number;
  /** The address to listen on. Default `127.0.0.1`: reachable from this machine only. */
  readonly host?: string;
  /**
   * The names under which clients reach this port, without port numbers. A request with another `Host` is refused, which
   * prevents DNS rebinding. Default: `host` and `localhost`.
   */
  readonly hosts?: readonly string[];
}

/** How the panel is served. Named as the settings `panel.*`. */
export interface PanelOptions {
  /** Serves the panel; needs `api.enabled`. Environment: `GUARDRAILS_PANEL_ENABLED`. Default `false`. */
  readonly enabled?: boolean;
  /**
   * The path of the panel. It must not overlap a path of the API or of another mount. Environment:
   * `GUARDRAILS_PANEL_PATH`. Default `<name>/panel`, beside `api.prefix` (`<name>/api`).
   */
  readonly path?: string;
  /**
   * `session`: browsers send the cookie of the host, and the page is behind `api.middleware`, as the API is.
   * `bearer`: the page, which contains no data, is open; it has a field for a token and sends the token to the API.
   * Environment: `GUARDRAILS_PANEL_AUTH`. Default `session`.
   */
  readonly auth?: 'session' | 'bearer';
  /**
   * The login page of the host: a path, or an address that begins with `https://`. A browser that is not logged in is
   * sent there with `?return_to=`, a path of the panel. Environment: `GUARDRAILS_PANEL_LOGIN_URL`. Default: none; a page then names the steps.
   */
  readonly login_url?: string;
}

/** Guardrails of the host. A class is instantiated with its dependencies from `imports`. */
export interface ControlOptions {
  /** Run after the built-in rules, in this order. */
  readonly screeners?: readonly (Screener | Type<Screener>)[];
  /** Run after the built-in detectors, in this order. */
  readonly detectors?: readonly (Detector | Type<Detector>)[];
  /** Decides who may call which tool. Passing one switches `tool_authorization.enabled` on. */
  readonly toolAuthorizer?: ToolAuthorizer | Type<ToolAuthorizer>;
  /** Is notified of pending calls; under `hitl.token_delivery: out_of_band` it alone receives the token. */
  readonly approvalNotifier?: ApprovalNotifier | Type<ApprovalNotifier>;
  /** Decides who belongs to the approver groups that `hitl.policies` names. */
  readonly approverGroups?: ApproverGroups | Type<ApproverGroups>;
}

/** Options of the engine. */
export interface GuardrailsOptions {
  /**
   * Any setting of the settings reference except `api.enabled`, `api.prefix` and `panel.*`, dotted or nested:
   * `{ hitl: { enabled: true } }`. These values take precedence over those of a ConfigService (namespace
   * `guardrails`), those over the environment (`GUARDRAILS_HITL_ENABLED`), and the environment over the default.
   */
  readonly settings?: GivenSettings;
  /** Default: in memory, which loses everything at a restart and logs a warning. */
  readonly stores?: StoreBackend;
  readonly controls?: ControlOptions;
  /** The tools that approvals run on this instance, found by name, also if another instance received the call. */
  readonly tools?: readonly Tool[];
  /**
   * Derives the principal of handlers with `@ScreenPrompt()`, `@SanitizeOutput()` or `@CallerTools()` from their
   * ExecutionContext. `undefined` refuses the call; `null` means an anonymous caller. Called once per decorator.
   */
  readonly principal?: PrincipalResolver;
  /** Receivers of events outside the process. Default: none. */
  readonly sinks?: readonly EventSink[];
  /** Default: the system clock. */
  readonly clock?: Clock;
}

export interface ModuleShape {
  readonly api?: ApiOptions;
  readonly panel?: PanelOptions;
  /** Modules whose providers the entries of `api.middleware` and the classes of `controls` need. */
  readonly imports?: ModuleMetadata['imports'];
  /** Makes `Guardrails` and `Approvals` injectable everywhere. Default `false`. */
  readonly isGlobal?: boolean;
}

/** The options of `forRoot()`. */
export interface GuardrailsApiOptions extends ModuleShape, GuardrailsOptions {}

/** They decide which routes exist and who may use them, so `forRootAsync()` takes them beside `useFactory` only. */
export const STATIC_OPTIONS = {
  api: ['enabled', 'prefix', 'middleware', 'listen'],
  panel: ['path'],
} as const;

type Returned<Options, Static extends keyof Options> = Omit<Options, Static> & {
  readonly [Key in Static]?: 'This option is static: write it beside useFactory, not into what it returns.';
};

/** What `useFactory` returns: every option but the static ones. */
interface GuardrailsFactoryOptions extends GuardrailsOptions {
  readonly api?: Returned<ApiOptions, (typeof STATIC_OPTIONS.api)[number]>;
  readonly panel?: Returned<PanelOptions, (typeof STATIC_OPTIONS.panel)[number]>;
}

/**
 * The options of `forRootAsync()`: a factory that returns all options but the static ones, and what is injected into it.
 * An option of `api` and `panel` that stands beside the factory takes precedence.
 */
export interface GuardrailsApiAsyncOptions extends ModuleShape {
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  readonly useFactory: (
    ...dependencies: never[]
  ) => GuardrailsFactoryOptions | Promise<GuardrailsFactoryOptions>;
}
