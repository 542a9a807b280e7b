// Tools as hosts write them, the results of their guarded calls, and the calls that were refused.
import type { FirewallFilter, Rejection } from './firewall.api.js';

export type { Rejection } from './firewall.api.js';
import type { ApprovalOutcome } from '../approvals/approvals.js';
import type { Page, PageRequest } from '../common/page.js';
import type { PolicyDemand } from '../policies/policies.js';
import type { RunContext } from '../screening/screening.js';

/** A JSON Schema object (2020-12, or draft-07 by its `$schema`). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Result of validating with a Standard Schema. */
export type StandardResult =
  { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema of zod, or of another library that implements Standard Schema 1 (https://standardschema.dev). */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    /** Its JSON Schema form, where the library offers one. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' | 'draft-07' }) => Record<string, unknown>;
      /** Of what it returns. */
      readonly output?: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

/**
 * A JSON Schema validates and changes nothing. A Standard Schema is first checked by its JSON Schema form, in
 * linear time, then validates itself; its output, which must be JSON, is what runs. Without a JSON Schema form it
 * declares no names: owner keys are overwritten at any depth and never added, arguments that it drops count
 * as unknown, and its patterns run in its library's engine. Such a tool needs a `schemaVersion` before its calls
 * can wait for approval.
 */
export type ToolParameters = JsonSchema | StandardSchema;

/** For whom and where a guarded tool is called. */
export interface ToolContext extends RunContext {
  /** Names the step within the run; default: the name of the tool. */
  readonly stepName?: string;
}

/** Passed to the tool beside its arguments. */
export interface ToolRun {
  readonly approvalId: number | null;
  /** The same for every attempt of one approved call. Pass it on to the system that has the effect. */
  readonly idempotencyKey: string | null;
  readonly signal: AbortSignalLike;
}

/** The part of AbortSignal that tools need; contracts import no platform types. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * A tool that the model may call: its name, the schema of its arguments, and the function that runs. `defineTool` and
 * `guardTool` infer the types of the arguments from the schema.
 */
export interface Tool<Result = unknown, Parameters extends ToolParameters = ToolParameters> {
  readonly name: string;
  readonly description?: string;
  readonly parameters: Parameters;
  /**
   * Version of `parameters`; change it whenever they accept something else. Calls requested under another version do
   * not run. Required for approvals of calls with a schema without a JSON form.
   */
  readonly schemaVersion?: string;
  /** A method, so that a tool of narrower arguments is a `Tool`: the schema checks them before it runs. */
  execute(args: ArgumentsOf<Parameters>, run: ToolRun): Result | Promise<Result>;
  /** Needs approval. A tool that is listed in the settings needs it in any case. */
  readonly destructive?: boolean;
  /**
   * What this call needs beyond the policy of the tool: it can only require more. `null`: nothing. If it throws, takes
   * longer than a second or returns something else, the strictest rule of the policy holds, and at least one approval.
   */
  readonly approval?: (
    args: ToolArguments,
    context: ToolContext,
  ) => PolicyDemand | null | Promise<PolicyDemand | null>;
  readonly reversible?: boolean;
  /**
   * A headline for approvers, above all arguments: say`Refund ${args.euros} euros`. At most 120 characters, 40 of each
   * value. Without one within 50 ms, and after a throw, the arguments stand alone.
   */
  describe?(args: ArgumentsOf<Parameters>, say: Say): string | Said | Promise<string | Said>;
  /**
   * JSON pointers of the parts of its result that nobody else could write, such as `/orders/0/id`; `*` stands for every
   * entry. They vouch for arguments of later calls of the run. A row of one's own database may hold a stranger's name.
   */
  readonly returns?: { readonly trusted: readonly string[] };
  /** Changes nothing, so that it may run while the instance cannot read whether tools are frozen. Default false. */
  readonly readOnly?: boolean;
  /** May run again after an unknown outcome. Default false. */
  readonly idempotent?: boolean;
  /** Hints as in MCP; `destructiveHint: true` marks the tool as destructive. */
  readonly annotations?: Readonly<{ destructiveHint?: boolean } & Record<string, unknown>>;
}

/** The tag of a template, which keeps the values of a call apart from the text around them. */
export type Say = (texts: TemplateStringsArray, ...values: readonly unknown[]) => Said;

/** Text and values in turns, text first. */
export interface Said {
  readonly parts: readonly string[];
}

/** Returns the tool as it is: lets `execute` take the types of its arguments from `parameters`. */
export function defineTool<Result, const Parameters extends ToolParameters>(
  tool: Tool<Result, Parameters>,
): Tool<Result, Parameters> {
  return tool;
}

/** A call that waits for a decision. Contains no token; the model may see all of it. */
export interface ParkedCall {
  readonly approvalId: number;
  readonly reference: string;
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
  /**
   * Waits for the outcome, which any instance may produce. Its result is not screened: see `ApprovalOutcome`. Rejects with the signal's reason, and when this
   * instance stops; handlers registered by `onApprovalOutcome` then receive the outcome. Not part of the JSON:
   * elsewhere `approvalOutcome(approvalId)` does the same.
   */
  outcome(signal?: AbortSignalLike): Promise<ApprovalOutcome>;
}

/** The outcome of a guarded call, as plain JSON if `result` is. `message` is text for the model. */
export type ToolCallOutcome<Result = unknown> =
  | {
      readonly status: 'executed';
      readonly message: string;
      readonly approvalId: null;
      readonly result: Result;
      readonly arguments: ToolArguments;
    }
  | {
      readonly status: 'refused';
      readonly approvalId: null;
      /** `result`: the tool ran, and its result was blocked. `frozen`: an operator stopped the tool. */
      readonly reason: 'violations' | 'denied' | 'unavailable' | 'frozen' | 'result';
      readonly violations: Readonly<Record<string, string>>;
      readonly message: string;
    }
  | {
      readonly status: 'parked';
      readonly message: string;
      readonly approvalId: number;
      readonly parked: ParkedCall;
    };

/** What happens to parts that are not text, such as images: `record` records that they were not screened. */
export type NotText = 'record' | 'refuse';

/** The texts of a result that are screened, and the media types of its other parts. */
export interface ReadResult {
  readonly text: string;
  readonly notText: readonly string[];
}

/** Options of `guardTool`. */
export interface GuardOptions<Result = unknown> {
  /**
   * How a result is read for its screening. Default: a text as it is, a structure field by field, and of a part such as
   * `{ type: 'image', data, mimeType }`, or a list of them, what is not binary data.
   */
  readonly readResult?: (result: Result) => string | ReadResult | Promise<string | ReadResult>;
  /**
   * Parts of a result that are not text, such as images and files: `record` records them as `[not screened: image/png]`;
   * `refuse` also refuses the result, which does not undo what the tool did, and one that cannot be read. Default `record`.
   */
  readonly notText?: NotText;
  /**
   * For a call that was requested before, when its conversation continues: `execute` returns that approval as `parked`,
   * in any state, so that a call that expired or failed does not wait again. A call without such an approval is
   * a new one. Needs a `runId`. Default `false`.
   */
  readonly resumes?: boolean;
}

/** A tool behind the firewall and the policies, for one caller. */
export interface GuardedTool<Result = unknown> {
  readonly tool: Tool<Result>;
  execute(args: unknown): Promise<ToolCallOutcome<Result>>;
}

/**
 * The host's authorization of tool calls. Passing one switches `tool_authorization.enabled` on: it is asked about every
 * call, and if it denies, fails or takes longer than a second, the call is refused.
 */
export abstract class ToolAuthorizer {
  /** Part of the policy revision. Change it when the policy changes; open approvals are then superseded. */
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
  /** Time of the decision. */
  readonly occurredAt: Date;
}

/** Selects refused calls. */
export type RejectionFilter = FirewallFilter;

/** Reads rejections. They are written with their decision by `AuditStore.append`. */
export abstract class FirewallStore {
  abstract list(filter: RejectionFilter, page: PageRequest): Promise<Page<Rejection>>;

  /** The rejection of the decision with this id. */
  abstract find(id: number): Promise<Rejection | null>;
}

/** The arguments of a tool call, after owner keys were overwritten and the schema was checked. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** The arguments that a schema lets through: of a Standard Schema its output, of a literal JSON Schema its properties. */
export type ArgumentsOf<Parameters> = Parameters extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
}
  ? unknown extends Output
    ? ToolArguments
    : Output
  : Parameters extends { readonly type: 'object'; readonly properties: object }
    ? ValueOf<Parameters>
    : ToolArguments;

/** The values of a literal JSON Schema; `unknown` where its keywords say more than this reads. */
type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly type: 'object'; readonly properties: infer Properties }
    ? { readonly [Key in RequiredKeys<Schema, Properties>]: ValueOf<Properties[Key]> } & {
        readonly [Key in Exclude<keyof Properties, RequiredKeys<Schema, Properties>>]?: ValueOf<
          Properties[Key]
        >;
      }
    : Schema extends { readonly type: 'array'; readonly items: infer Items }
      ? readonly ValueOf<Items>[]
      : Schema extends { readonly type: infer Type extends keyof Scalars }
        ? Scalars[Type]
        : unknown;

interface Scalars {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type RequiredKeys<Schema, Properties> = Schema extends { readonly required: readonly (infer Key)[] }
  ? Extract<keyof Properties, Key>
  : never;
