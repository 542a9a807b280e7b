import type { OutputStatsData } from '#client/index.js';
import { href } from '../../data/page.js';

export type Points = NonNullable<OutputStatsData['points']>;
export type Kind = Points[number]['values'][number]['kind'];

export interface Window {
  readonly from: string;
  readonly to: string;
  readonly application: string | undefined;
}

/** In the order in which columns stack. */
export const KINDS: readonly { readonly name: Kind; readonly label: string }[] = [
  { name: 'pii_redaction', label: 'personal data' },
  { name: 'secret_redaction', label: 'secrets' },
  { name: 'html_stripped', label: 'HTML' },
  { name: 'markdown_sanitized', label: 'Markdown' },
  { name: 'structured_validation_failure', label: 'wrong structure' },
  { name: 'too_long', label: 'too long' },
];

export function labelOf(kind: string): string {
  return KINDS.find(({ name }) => name === kind)?.label ?? kind;
}

/** Outputs with a finding of the kind; with a detector, of this detector. Each output is on one day only. */
export function outputsOf(points: Points, kind: Kind, detector: string | null = null): number {
  return points
    .flatMap(({ values }) => values)
    .filter((value) => value.kind === kind && value.detector === detector)
    .reduce((sum, { outputs }) => sum + outputs, 0);
}

/** The address of exactly the outputs that a figure counts. */
export function rowsOf({ from, to, application }: Window, kind: Kind, detector?: string | null): string {
  const found = { kind, detector: detector ?? undefined };
  return href('/audit', { control: 'output_handler', ...found, application, from, to });
}
