/** Findings of outputs by kind: their names, their counts, and a text before and after. */
import type { OutputStatsData, TrySanitizeData } from '#client/index.js';
import type { OutputKind } from '#contracts/output/output.js';
import { href } from '../../data/page.js';
import { MarkedText } from '../../ui/marked-text.js';

export type Points = NonNullable<OutputStatsData['points']>;

export interface Window {
  readonly from: string;
  readonly to?: string;
  readonly application: string | undefined;
}

export const KIND_LABELS: Readonly<Record<OutputKind, string>> = {
  pii_redaction: 'personal data',
  secret_redaction: 'secrets',
  html_stripped: 'HTML',
  markdown_sanitized: 'Markdown',
  structured_validation_failure: 'wrong structure',
  too_long: 'too long',
};

/** In the order in which columns stack. */
const KINDS = Object.keys(KIND_LABELS) as OutputKind[];

/** The kinds of which something was found. */
export function kindsIn(points: Points): readonly OutputKind[] {
  return KINDS.filter((kind) => outputsOf(points, kind) > 0);
}

/** Outputs with a finding of the kind; with a detector, of this detector. Each output is on one day only. */
export function outputsOf(points: Points, kind: OutputKind, detector: string | null = null): number {
  return points
    .flatMap(({ values }) => values)
    .filter((value) => value.kind === kind && value.detector === detector)
    .reduce((sum, { outputs }) => sum + outputs, 0);
}

/** The address of exactly the outputs that a figure counts. */
export function rowsOf({ from, to, application }: Window, kind: OutputKind, detector?: string): string {
  return href('/audit', { control: 'output_handler', kind, detector, application, from, to });
}

export function findingLabel({ kind, detector }: { readonly kind: OutputKind; readonly detector: string }) {
  return `${KIND_LABELS[kind]}: ${detector}`;
}

/** A text with its findings, and what a user gets in its place. */
export function BeforeAfter({
  text,
  data: { sanitized, findings },
  heads: [before, after],
  heading: Heading = 'h4',
}: {
  readonly text: string;
  readonly data: TrySanitizeData;
  readonly heads: readonly [before: string, after: string];
  readonly heading?: 'h2' | 'h4';
}) {
  return (
    <div class="before-after">
      <div class="stack-s">
        <Heading>{before}</Heading>
        <MarkedText
          text={text}
          marks={findings.map((finding) => ({ span: finding.span, label: findingLabel(finding) }))}
        />
      </div>
      <div class="stack-s">
        <Heading>{after}</Heading>
        <MarkedText
          text={sanitized}
          marks={findings.map((finding) => ({ span: finding.output_span, label: findingLabel(finding) }))}
        />
      </div>
    </div>
  );
}
