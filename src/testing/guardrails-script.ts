import { Logger } from '@nestjs/common';
import { DecisionMade, ToolParked, type DecisionFacts } from '#contracts/events/decision-events.js';
import { type Tool, ToolAuthorizer } from '#contracts/firewall/firewall.js';
import { EventPublisher, type GuardrailsEvent } from '#contracts/events/guardrails-event.js';
import { Screener } from '#contracts/screening/screening.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import type { Engine } from '#engine/create-engine.js';
import type { EventEmitterPublisher } from '../events/event-emitter.publisher.js';

/** How pending calls are decided. `undecided` leaves them to the test, by `Approvals`. */
export type ScriptedApproval = 'approved' | 'rejected' | 'undecided';

/** A policy can require several approvers. */
const MAX_APPROVERS = 10;

/** The verdicts of a test, and the events that they caused. */
export class GuardrailsScript {
  private readonly logger = new Logger('GuardrailsScript');
  private readonly captured: GuardrailsEvent[] = [];
  private readonly deciding = new Set<Promise<void>>();
  private blocked: (string | RegExp)[] = [];
  private denied = new Set<string>();
  private approval: { readonly verdict: ScriptedApproval; readonly reason: string } = APPROVED;
  private failure: { readonly error: unknown } | null = null;
  private engine: Engine | null = null;

  /** All events since the start or the last `reset()`, oldest first. */
  get events(): readonly GuardrailsEvent[] {
    return [...this.captured];
  }

  /** The facts of all decisions, with the name of their event. */
  get decisions(): readonly (DecisionFacts & { readonly event: string })[] {
    return this.captured
      .filter((event) => event instanceof DecisionMade)
      .map(({ name, facts }) => ({ ...facts, event: name }));
  }

  /** Blocks texts that contain one of these texts, or match one of these patterns. All others are allowed. */
  blockPrompts(...texts: readonly (string | RegExp)[]): void {
    this.blocked.push(...texts);
  }

  /** Denies calls of these tools. Without effect where the test configures a `toolAuthorizer`. */
  denyTools(...names: readonly string[]): void {
    for (const name of names) this.denied.add(name);
  }

  /** How calls that wait from now on are decided. Default: approved. */
  decideApprovals(verdict: ScriptedApproval, reason = 'decided by the script of a test'): void {
    this.approval = { verdict, reason };
  }

  /** Resolves when all pending calls are decided, and the handlers of their outcomes have returned. */
  async settled(): Promise<void> {
    while (this.deciding.size > 0) await Promise.all(this.deciding);
    const { failure } = this;
    this.failure = null;
    if (failure !== null) throw failure.error;
  }

  /** Removes the script and the captured events. Records stay in the stores. */
  reset(): void {
    this.captured.length = 0;
    this.blocked = [];
    this.denied = new Set();
    this.approval = APPROVED;
  }

  blocks(text: string): boolean {
    return this.blocked.some((part) =>
      typeof part === 'string' ? text.includes(part) : text.search(part) >= 0,
    );
  }

  denies(tool: string): boolean {
    return this.denied.has(tool);
  }

  /** @internal */
  attach(engine: Engine): void {
    this.engine = engine;
  }

  /** @internal */
  capture(event: GuardrailsEvent): void {
    this.captured.push(event);
    if (!(event instanceof ToolParked) || event.facts.approvalId === null) return;
    const { approval } = this;
    if (approval.verdict === 'undecided') return;
    const decision = this.decide(event.facts.approvalId, approval.verdict, approval.reason)
      .catch((error: unknown) => this.fail(error))
      .finally(() => this.deciding.delete(decision));
    this.deciding.add(decision);
  }

  private async decide(approvalId: number, verdict: 'approved' | 'rejected', reason: string) {
    const { engine } = this;
    if (engine === null) return;
    for (let approver = 1; approver <= MAX_APPROVERS; approver++) {
      const actor = `approver-${approver}`;
      const { status } = await engine.approvals.decide(approvalId, { verdict, actor, reason });
      if (status !== 'pending') break;
    }
    await engine.outcomeNotifier.deliverDue();
    await engine.outcomeNotifier.idle();
  }

  private fail(error: unknown) {
    this.failure ??= { error };
    this.logger.error(
      "A pending call could not be decided. Call decideApprovals('undecided'), and decide it in the test.",
      error instanceof Error ? error.stack : String(error),
    );
  }
}

const APPROVED = { verdict: 'approved', reason: 'decided by the script of a test' } as const;

/** Captures events, and publishes them to listeners of the host. */
export class ScriptPublisher extends EventPublisher {
  constructor(
    private readonly script: GuardrailsScript,
    private readonly listeners: EventEmitterPublisher,
  ) {
    super();
  }

  override publish(event: GuardrailsEvent): void {
    this.listeners.publish(event);
    this.script.capture(event);
  }
}

export class ScriptedScreener extends Screener {
  override readonly id = 'scripted';

  constructor(private readonly script: GuardrailsScript) {
    super();
  }

  override screen(text: string): readonly Utf16Span[] {
    return this.script.blocks(text) ? [[0, text.length]] : [];
  }
}

export class ScriptedAuthorizer extends ToolAuthorizer {
  constructor(private readonly script: GuardrailsScript) {
    super();
  }

  override authorize(tool: Tool): boolean {
    return !this.script.denies(tool.name);
  }
}
