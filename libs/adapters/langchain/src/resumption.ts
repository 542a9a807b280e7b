/** What LangChain passes to a call: the state of the run, its signal and the configuration of the agent. */
export type CallConfig = Readonly<Record<string, unknown>>;

/** The value of an interrupt. */
export interface GuardrailsInterrupt {
  readonly guardrails: 'parked';
  readonly approvalId: number;
  readonly reference: string;
  readonly expiresAt: string;
  readonly message: string;
}

/** Interrupts the graph, or returns the value with which it was resumed. */
type InterruptWith = (value: GuardrailsInterrupt) => unknown;

/** What LangGraph keeps about the interrupts of one task. */
interface Scratchpad {
  readonly resume?: readonly unknown[];
  readonly nullResume?: unknown;
}

/** The values with which the graph of one call was resumed. */
export class Resumption {
  private readonly values: unknown[] = [];

  constructor(
    { configurable = {} }: CallConfig,
    private readonly interruptWith: InterruptWith,
  ) {
    const { resume = [], nullResume } = ((configurable as Record<string, unknown>)['__pregel_scratchpad'] ??
      {}) as Scratchpad;
    const count = resume.length + (nullResume === undefined ? 0 : 1);
    // `interrupt` does not interrupt as long as there are values.
    while (this.values.length < count) this.values.push(interruptWith(CONSUMED));
  }

  get isResumed(): boolean {
    return this.values.length > 0;
  }

  /** The approval with which the graph was resumed; `null` for another value. */
  approvalId(): number | null {
    const value = this.values.at(-1);
    const id: unknown =
      typeof value === 'object' && value !== null ? Reflect.get(value, 'approvalId') : value;
    return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : null;
  }

  interrupt(value: GuardrailsInterrupt): void {
    this.interruptWith(value);
  }
}

const CONSUMED: GuardrailsInterrupt = {
  guardrails: 'parked',
  approvalId: 0,
  reference: '',
  expiresAt: '',
  message: '',
};
