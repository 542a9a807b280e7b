import type { ControlMode } from '../../contracts/src/control-mode.js';
import type { Finding } from '../../contracts/src/output.js';
import type { Sanitising } from './output/sanitising.js';

/** Stands for what could not be judged. */
const WITHHELD = '[output withheld]';

/** What a decision about an output rests on. */
export interface OutputRuling {
  /** As the model gave it. */
  readonly text: string;
  readonly findings: readonly Pick<Finding, 'kind' | 'detector'>[];
  /** A host's detector failed, so that nobody knows what else there was. */
  readonly errored: boolean;
  readonly durationUs: number;
}

/** One output on its way from the model to its reader, and what there is to say of it at any time. */
export class PassingOutput {
  private readonly chunks: string[] = [];
  private failed = false;
  private milliseconds = 0;

  constructor(
    private readonly sanitising: Sanitising,
    private readonly mode: ControlMode,
  ) {}

  /** Answers what may be shown by now: in `monitor` the chunk itself, whatever is found. */
  push(chunk: string): string {
    this.chunks.push(chunk);
    return this.shown(() => this.sanitising.push(chunk), chunk);
  }

  end(): string {
    return this.shown(() => this.sanitising.end(), '');
  }

  /** Of everything that was pushed. */
  ruling(): OutputRuling {
    return this.rulingOf(this.chunks.join(''), this.findings);
  }

  /** Of what was shown, where the reader went away before the end. */
  rulingSoFar(): OutputRuling {
    if (!this.mode.enforces()) {
      this.end();
      return this.ruling();
    }
    const { settledUntil } = this.sanitising;
    return this.rulingOf(
      this.chunks.join('').slice(0, settledUntil),
      this.findings.filter(({ span }) => span[0] < settledUntil),
    );
  }

  get findings(): readonly Finding[] {
    return this.sanitising.findings;
  }

  private shown(sanitise: () => string, given: string): string {
    const clean = this.attempt(sanitise);
    return this.mode.enforces() ? clean : given;
  }

  /** Nothing follows what is withheld. */
  private attempt(sanitise: () => string): string {
    if (this.failed) return '';
    const started = performance.now();
    try {
      return sanitise();
    } catch {
      this.failed = true;
      return WITHHELD;
    } finally {
      this.milliseconds += performance.now() - started;
    }
  }

  private rulingOf(text: string, findings: OutputRuling['findings']): OutputRuling {
    return { text, findings, errored: this.failed, durationUs: Math.round(this.milliseconds * 1000) };
  }
}
