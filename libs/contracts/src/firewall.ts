import type { ApprovalOutcome } from './approvals.js';
import type { Page, PageRequest } from './page.js';
import type { DecisionContext } from './screening.js';

/** A JSON Schema object (2020-12, or draft-07 by its `$schema`). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a Standard Schema makes of a value. */
export type StandardResult =
  { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema of zod, or of any other library that speaks Standard Schema 1 (https://standardschema.dev). */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    /** Its JSON form, where it offers one. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' | 'draft-07' }) => Record<string, unknown>;
    };
  };
}

/**
 * A JSON Schema judges alone, and changes nothing. A Standard Schema is judged by its JSON form first, in linear time,
 * then by itself, and what it makes of the arguments is what runs; that must be JSON again. One without a JSON form
 * declares no names: owner keys are overwritten where they stand and put in nowhere, arguments that it leaves out are
 * unknown, its patterns run as its library runs them, and nothing of it can be recognised: before a call can wait for a
 * human, the tool has to name it by `schemaVersion`.
 */
export type ToolParameters = JsonSchema | StandardSchema;

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface ToolContext extends DecisionContext {
  /** Names the step within the run; default the tool's name. */
  readonly stepName?: string;
}

/** What a tool gets beside its arguments when it runs after an approval. */
export interface ToolRun {
  readonly approvalId: number | null;
  /** The same for every attempt at the same approved call: pass it on to whatever moves the money. */
  readonly idempotencyKey: string | null;
  readonly signal: AbortSignalLike;
}

/** The part of AbortSignal that tools need; contracts know no platform. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface Tool<Result = unknown> {
  readonly name: string;
  readonly description?: string;
  readonly parameters: ToolParameters;
  /**
   * Names the present state of `parameters`; change it whenever they accept something else. Calls that were parked under
   * another one do not run. Without it no call can be parked whose schema has no JSON form.
   */
  readonly schemaVersion?: string;
  readonly execute: (args: ToolArguments, run: ToolRun) => Result | Promise<Result>;
  /** Needs a human's decision. Nothing un-marks a tool that the settings list. */
  readonly destructive?: boolean;
  readonly reversible?: boolean;
  /** Safe to run again after an unknown outcome. Default false. */
  readonly idempotent?: boolean;
  /** Hints as MCP servers give them; `destructiveHint: true` marks the tool as destructive. */
  readonly annotations?: Readonly<{ destructiveHint?: boolean } & Record<string, unknown>>;
}

/** A call that waits for a human. Carries no token: the model may see all of it. */
export interface ParkedCall {
  readonly approvalId: number;
  readonly reference: string;
  readonly expiresAt: Date;
  /**
   * Waits until it is decided and has run, or never will: by whichever instance, and across a restart of the others.
   * Rejects with the signal's reason, and when this instance stops; the outcome is then told to a handler that was
   * registered by `onApprovalOutcome`.
   */
  outcome(signal?: AbortSignalLike): Promise<ApprovalOutcome>;
}

/** What became of a guarded call. `message` is what the model may be told. */
export type ToolCallOutcome<Result = unknown> =
  | { readonly status: 'executed'; readonly result: Result; readonly arguments: ToolArguments }
  | {
      readonly status: 'refused';
      readonly reason: 'violations' | 'denied' | 'unavailable';
      readonly violations: Readonly<Record<string, string>>;
      readonly message: string;
    }
  | { readonly status: 'parked'; readonly parked: ParkedCall; readonly message: string };

export interface GuardedTool<Result = unknown> {
  readonly tool: Tool<Result>;
  execute(args: unknown): Promise<ToolCallOutcome<Result>>;
}

/** A host's say on who may call what. When `tool_authorization.enabled`: absent, throwing, late (one second) or denying means no. */
export abstract class ToolAuthorizer {
  /** Enters the policy revision: change it when the policy changes, and open approvals are asked for afresh. */
  readonly version: string = '1';

  abstract authorize(tool: Tool, args: ToolArguments, context: ToolContext): boolean | Promise<boolean>;
}

/** At most 50 violations, keys up to 200 and reasons up to 500 characters; `violationCount` is the true total. */
export interface NewRejection {
  readonly tool: string;
  readonly principalId: string | null;
  readonly application: string | null;
  readonly violations: Readonly<Record<string, string>>;
  readonly violationCount: number;
  readonly enforced: boolean;
  /** That of the decision. */
  readonly occurredAt: Date;
}

export interface Rejection extends NewRejection {
  /** That of the decision's evidence. */
  readonly id: number;
}

export interface RejectionFilter {
  readonly principalId?: string;
  readonly application?: string;
  readonly tool?: string;
  /** Literal text in the tool's name; ASCII letters match in either case. */
  readonly q?: string;
  readonly from?: Date;
  readonly to?: Date;
}

/** Reads the rejections that decisions left; they are appended with their decision, by `AuditStore.append`. */
export abstract class FirewallStore {
  abstract list(filter: RejectionFilter, page: PageRequest): Promise<Page<Rejection>>;
}
