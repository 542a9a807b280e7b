import type { ControlMode, Outcome } from './control-mode.js';
import type { TimeWindow } from './page.js';
import type { DecisionContext } from './screening.js';
import type { Span } from './span.js';

/** What output sanitisation counts, in the order in which statistics show it. */
export const OUTPUT_KINDS = [
  'html_stripped',
  'markdown_sanitized',
  'structured_validation_failure',
  'pii_redaction',
  'secret_redaction',
] as const;

export type OutputKind = (typeof OUTPUT_KINDS)[number];

export interface Finding {
  readonly kind: OutputKind;
  /** Which detector saw it: `html`, `markdown`, `email`, `aws_access_key` … */
  readonly detector: string;
  /** UTF-16 units of the text as given. */
  readonly span: Span;
}

/** Finds one sort of personal data or secret. Bounded and linear; built-ins and a host's own stand in the same list. */
export abstract class Detector {
  /** At most 100 characters. */
  abstract readonly name: string;
  abstract readonly kind: 'pii_redaction' | 'secret_redaction';

  /** Spans (UTF-16), ascending and without overlap. */
  abstract find(text: string): readonly Span[];

  /** What stands in the text's place. */
  get placeholder(): string {
    return `[${this.name}]`;
  }
}

/**
 * What the host does with an output. `any`: renders it with an unknown Markdown renderer or inserts it as HTML.
 * `markdown`: renders it with one of the supported renderers that agree about code. `text`: shows it as plain text.
 */
export const RENDERINGS = ['any', 'markdown', 'text'] as const;

export type Rendering = (typeof RENDERINGS)[number];

export interface OutputContext extends DecisionContext {
  /** Default: the setting `output_handler.rendering`. */
  readonly rendering?: Rendering;
}

export interface SanitizedOutput {
  /** What may be shown: sanitised in `enforce`, the text as given in `monitor` and `off`. */
  readonly text: string;
  /** Something was found. */
  readonly found: boolean;
  readonly findings: readonly Finding[];
  readonly mode: ControlMode;
  readonly outcome: Outcome;
  readonly auditId: number | null;
}

/** A finding in one text of a structure; `span` is of that text. */
export interface StructureFinding extends Finding {
  /** `items.0.note`; of a finding in a name, the path of what it names. */
  readonly path: string;
}

export interface SanitizedStructure {
  /** What may be used: sanitised in `enforce`, or `null` where it does not fit its schema; as given in `monitor` and `off`. */
  readonly value: unknown;
  /** Something was found, a structure that does not fit included. */
  readonly found: boolean;
  readonly findings: readonly StructureFinding[];
  /** Path → why it does not fit; empty where it does, or where there is no schema. Never repeats a value. */
  readonly violations: Readonly<Record<string, string>>;
  readonly mode: ControlMode;
  readonly outcome: Outcome;
  readonly auditId: number | null;
}

/** One line of the statistics that a decision adds to. */
export interface OutputCount {
  readonly kind: OutputKind;
  readonly detector: string;
  readonly enforced: boolean;
  /** At least 1. */
  readonly count: number;
}

/** Reads the statistics that decisions left; they are added with their decision, by `AuditStore.append`. */
export abstract class OutputStore {
  /** Summed per kind, detector and `enforced` over the window. */
  abstract stats(window: TimeWindow): Promise<readonly OutputCount[]>;
}

/** A text without personal data or secrets, and what was put in their place. */
export interface Redaction {
  readonly text: string;
  /** Ascending; spans in UTF-16 units of the text as given. */
  readonly edits: readonly { readonly span: Span; readonly replacement: string }[];
}

/** Takes personal data and secrets out of what is kept. */
export abstract class Redactor {
  abstract redact(text: string): Redaction;

  abstract redactSecrets(text: string): string;
}
