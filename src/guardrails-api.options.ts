import type { InjectionToken, ModuleMetadata, OptionalFactoryDependency, Type } from '@nestjs/common';
import type { ApprovalNotifier } from '../libs/contracts/src/approvals.js';
import type { Clock } from '../libs/contracts/src/clock.js';
import type { EventSink } from '../libs/contracts/src/event-sink.js';
import type { Tool, ToolAuthorizer } from '../libs/contracts/src/firewall.js';
import type { Detector } from '../libs/contracts/src/output.js';
import type { Screener } from '../libs/contracts/src/screening.js';
import type { StoreBackend } from '../libs/contracts/src/store-backend.js';
import type { AccessEntry } from './http/access-entries.js';
import type { ActorResolver } from './http/actor.guard.js';

/** How the admin API is mounted. Known before anything asynchronous is, and therefore beside `useFactory`. */
export interface ApiOptions {
  /** Mounts the API. Environment: `GUARDRAILS_API_ENABLED`. Default `false`: not one route exists. */
  readonly enabled?: boolean;
  /** The path under which all routes are mounted; ends in `/api`. Environment: `GUARDRAILS_API_PREFIX`. Default `guardrails/api`. */
  readonly prefix?: string;
  /**
   * Your authentication and authorisation, asked in this order on every request: guards, middleware, their
   * classes, injection tokens, functions `(request, response, next)`. A literal `false` is dropped. An enabled
   * API with an empty list does not start.
   */
  readonly middleware?: readonly AccessEntry[];
  /** Who acts, given the authenticated request. Default: `request.user.id`, else `request.user.sub`. */
  readonly actor?: ActorResolver;
}

/** Guardrails of the host's own. A class is made with its dependencies from `imports`. */
export interface ControlOptions {
  /** Asked after the built-in rules, in this order. */
  readonly screeners?: readonly (Screener | Type<Screener>)[];
  /** Run after the built-in detectors, in this order. */
  readonly detectors?: readonly (Detector | Type<Detector>)[];
  /** Says who may call which tool, while `tool_authorization.enabled`. */
  readonly toolAuthorizer?: ToolAuthorizer | Type<ToolAuthorizer>;
  /** Told of calls that wait for a human; under `hitl.token_delivery: out_of_band` it alone gets the token. */
  readonly approvalNotifier?: ApprovalNotifier | Type<ApprovalNotifier>;
}

/** What may be given asynchronously. */
export interface GuardrailsOptions {
  /**
   * Any setting of the settings reference except `api.enabled` and `api.prefix`, dotted or nested: `{ hitl: { enabled: true } }`. Each has an
   * environment variable too (`GUARDRAILS_HITL_ENABLED`); what is written here wins over it.
   */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Where everything is kept. Default: in memory, which forgets it with the process and says so in the log. */
  readonly stores?: StoreBackend;
  readonly controls?: ControlOptions;
  /** What approvals run on this instance, by its name, also when another instance parked the call. */
  readonly tools?: readonly Tool[];
  /** Where events leave the process. Default: nowhere. */
  readonly sinks?: readonly EventSink[];
  /** Default: the machine's. */
  readonly clock?: Clock;
}

interface ModuleShape {
  readonly api?: ApiOptions;
  /** Modules whose providers the entries of `api.middleware` and the classes of `controls` need. */
  readonly imports?: ModuleMetadata['imports'];
  /** Makes `Guardrails` injectable everywhere. Default `false`. */
  readonly isGlobal?: boolean;
}

export interface GuardrailsApiOptions extends ModuleShape, GuardrailsOptions {}

export interface GuardrailsApiAsyncOptions extends ModuleShape {
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  readonly useFactory: (...dependencies: never[]) => GuardrailsOptions | Promise<GuardrailsOptions>;
}
