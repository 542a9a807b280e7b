import type {
  Finding,
  SanitizedOutput,
  ToolArguments,
  ToolCallOutcome,
} from '../../../../libs/contracts/src/index.js';
import type { ModelStep } from './model.js';

/** A call that the model asked for, and what became of it. */
export interface ToolStep {
  readonly tool: string;
  readonly asked: ToolArguments;
  readonly status: ToolCallOutcome['status'];
  /** What it ran with: the firewall puts the customer in the place of any other. */
  readonly ran: ToolArguments | null;
  readonly violations: Readonly<Record<string, string>>;
  /** Set where it waits for a human. */
  readonly waiting: { readonly approvalId: number; readonly reference: string } | null;
}

/** One question, and all that came of it. */
export interface ChatTurn {
  readonly runId: string;
  /** What the customer may see. */
  readonly answer: string;
  /** What the model wrote: shown here so that the difference can be seen. `null` where it was not asked. */
  readonly draft: string | null;
  readonly tools: readonly ToolStep[];
  /** What the output handler found, by detector. */
  readonly findings: Readonly<Record<string, number>>;
}

export class TurnInProgress {
  private readonly tools: ToolStep[] = [];

  constructor(private readonly runId: string) {}

  get calls(): number {
    return this.tools.length;
  }

  called(step: Extract<ModelStep, { kind: 'call' }>, outcome: ToolCallOutcome): void {
    this.tools.push({
      tool: step.tool,
      asked: step.arguments,
      status: outcome.status,
      ran: outcome.status === 'executed' ? outcome.arguments : null,
      violations: outcome.status === 'refused' ? outcome.violations : {},
      waiting:
        outcome.status === 'parked'
          ? { approvalId: outcome.parked.approvalId, reference: outcome.parked.reference }
          : null,
    });
  }

  answer({ text, findings }: SanitizedOutput, draft: string): ChatTurn {
    return { ...this.record(text), draft, findings: countsOf(findings) };
  }

  /** Something was stopped on the way: the customer is told no more than that. */
  refuse(message: string | null): ChatTurn {
    return this.record(message ?? '');
  }

  private record(answer: string): ChatTurn {
    return { runId: this.runId, answer, draft: null, tools: this.tools, findings: {} };
  }
}

function countsOf(findings: readonly Finding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { detector } of findings) counts[detector] = (counts[detector] ?? 0) + 1;
  return counts;
}
