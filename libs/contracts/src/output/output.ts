import type { ControlMode, Outcome } from '../common/control-mode.js';
import type { TimeWindow } from '../common/page.js';
import type { RunContext } from '../screening/screening.js';
import type { ByteSpan, Utf16Span } from '../common/spans.js';

/** What output sanitizing counts, in the order of the statistics. */
export const OUTPUT_KINDS = [
  'html_stripped',
  'markdown_sanitized',
  'structured_validation_failure',
  'pii_redaction',
  'secret_redaction',
  'too_long',
] as const;

/** The kind of a finding in an output. */
export type OutputKind = (typeof OUTPUT_KINDS)[number];

/** One finding in an output. */
export interface Finding {
  readonly kind: OutputKind;
  /** The detector: `html`, `markdown`, `email`, `aws_access_key` … */
  readonly detector: string;
  /** UTF-16 units of the original text. */
  readonly span: Utf16Span;
}

/** A finding in a record. */
export interface RecordedFinding extends Pick<Finding, 'kind' | 'detector'> {
  /** UTF-8 bytes of the stored text; `null` where no text is stored there, and for findings in a structure. */
  readonly span: ByteSpan | null;
}

/** A record keeps this many findings of an output, and at least one of each kind and detector. */
export const MAX_RECORDED_FINDINGS = 200;

/** Finds one kind of personal data or secret, in linear time. Built-in and custom detectors share one list. */
export abstract class Detector {
  /** At most 100 characters. */
  abstract readonly name: string;
  abstract readonly kind: 'pii_redaction' | 'secret_redaction';

  /** Spans (UTF-16), ascending and without overlap. */
  abstract find(text: string): readonly Utf16Span[];

  /** Replacement of the found text. */
  get placeholder(): string {
    return `[${this.name}]`;
  }
}

/**
 * What the host does with an output. `any`: renders it with an unknown Markdown renderer or inserts it as HTML.
 * `markdown`: renders it with one of the supported renderers that agree about code. `text`: shows it as plain text.
 * `slack`: posts it as a text of Slack. `terminal`: prints it.
 */
export const RENDERINGS = ['any', 'markdown', 'text', 'slack', 'terminal'] as const;

/** How an output will be shown. */
export type Rendering = (typeof RENDERINGS)[number];

/** Why a rendering that untyped code passed cannot be used; `null` if it can. */
export function renderingFault(rendering: Rendering | undefined): string | null {
  if (rendering === undefined || RENDERINGS.includes(rendering)) return null;
  return `rendering is ${JSON.stringify(rendering)}: pass one of ${RENDERINGS.join(', ')}`;
}

/** For whom and where an output is sanitized, and how it will be shown. */
export interface OutputContext extends RunContext {
  /** Default: the setting `output_handler.rendering`. */
  readonly rendering?: Rendering;
}

/** The result of `sanitize`. */
export interface SanitizedOutput {
  /** Text to show: sanitized in `enforce`, the original text in `monitor` and `off`. */
  readonly text: string;
  /** Whether anything was found. */
  readonly found: boolean;
  readonly findings: readonly Finding[];
  readonly mode: ControlMode;
  readonly outcome: Outcome;
  readonly auditId: number | null;
}

/** A finding in one text of a structure; `span` refers to that text. */
export interface StructureFinding extends Finding {
  /** `items.0.note`; for a finding in a property name, the path of the property. */
  readonly path: string;
}

/** The result of `sanitizeStructured`. */
export interface SanitizedStructure {
  /**
   * Value to use: in `enforce` sanitized, or `null` where it does not match its schema or is too long; in `monitor` and `off` unchanged.
   */
  readonly value: unknown;
  /** Whether anything was found, including schema violations. */
  readonly found: boolean;
  readonly findings: readonly StructureFinding[];
  /** Path → reason; empty without violations or without a schema. Never contains a value. */
  readonly violations: Readonly<Record<string, string>>;
  readonly mode: ControlMode;
  readonly outcome: Outcome;
  readonly auditId: number | null;
}

/** Counts that a decision adds to the statistics. */
export interface OutputCount {
  readonly kind: OutputKind;
  readonly detector: string;
  readonly enforced: boolean;
  /** At least 1. */
  readonly count: number;
}

/** Outputs of one UTC day with findings of one kind, for a detector or all. */
export interface OutputDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly kind: OutputKind;
  /** `null`: of every detector of the kind. */
  readonly detector: string | null;
  readonly outputs: number;
  readonly findings: number;
}

export interface OutputWindow extends TimeWindow {
  readonly application?: string;
}

/** Reads output statistics. They are written with their decision by `AuditStore.append`. */
export abstract class OutputStore {
  /** Sums per kind, detector and `enforced` over the window. */
  abstract stats(window: OutputWindow): Promise<readonly OutputCount[]>;

  /** Outputs and findings by day, kind, and detector; days without a finding are left out. */
  abstract daily(window: OutputWindow): Promise<readonly OutputDay[]>;
}
