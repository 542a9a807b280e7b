import { Redactor, type Detector, type Finding, type Redaction } from '../../../contracts/src/output.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { builtInDetectors } from './detectors/built-in-detectors.js';
import { escapeAllButHarmlessHtml, escapeHtml } from './html.pass.js';
import { neutraliseMarkdown } from './markdown.pass.js';
import type { Pass } from './pass.js';
import { redactionPass } from './redaction.pass.js';
import { TracedText } from './traced-text.js';

/** Honest texts are clean after two rounds; one that is not after these was built to come apart for ever. */
const MOST_ROUNDS = 16;

/** Stands for a text, or for what was to be kept of one, that did not become clean. */
const WITHHELD = '[output withheld]';

export interface Sanitised {
  readonly text: string;
  /** By ascending start; spans in UTF-16 units of the text as given. */
  readonly findings: readonly Finding[];
}

/**
 * Neutralises model output. Removing one thing can put another together, so the passes go round until every one of
 * them has nothing left to do: what comes out is clean in the eyes of all passes, and sanitising it again changes
 * nothing. A text that does not come to rest is withheld.
 */
export class Sanitiser extends Redactor {
  private readonly redactAll: Pass;
  private readonly redactOnlySecrets: Pass;
  private readonly redactOnlyPersonalData: Pass;

  /** A host's detectors run after the built-in ones. One that throws makes the call fail: nothing unsanitised passes. */
  constructor(detectors: readonly Detector[]) {
    super();
    const all = [...builtInDetectors, ...detectors];
    this.redactAll = redactionPass(all);
    this.redactOnlySecrets = redactionPass(all.filter(({ kind }) => kind === 'secret_redaction'));
    this.redactOnlyPersonalData = redactionPass(all.filter(({ kind }) => kind === 'pii_redaction'));
  }

  sanitise(text: string, settings: Settings): Sanitised {
    const { clean, findings } = untilClean(text, this.passes(settings));
    return { text: clean.text, findings: findings.toSorted((one, other) => one.span[0] - other.span[0]) };
  }

  override redact(text: string): Redaction {
    const { clean } = untilClean(text, [this.redactAll]);
    return { text: clean.text, edits: clean.edits() };
  }

  override redactSecrets(text: string): string {
    return untilClean(text, [this.redactOnlySecrets]).clean.text;
  }

  private passes(settings: Settings): readonly Pass[] {
    const passes: Pass[] = [];
    if (settings.get('output_handler.sanitize_html')) {
      const keepsHarmless = settings.get('output_handler.html_mode') === 'allowlist';
      passes.push(keepsHarmless ? escapeAllButHarmlessHtml : escapeHtml);
    }
    if (settings.get('output_handler.neutralize_markdown')) passes.push(neutraliseMarkdown);
    const redaction = this.redaction(
      settings.get('output_handler.redact_pii'),
      settings.get('output_handler.redact_secrets'),
    );
    return redaction === null ? passes : [...passes, redaction];
  }

  private redaction(personalData: boolean, secrets: boolean): Pass | null {
    if (personalData && secrets) return this.redactAll;
    if (secrets) return this.redactOnlySecrets;
    return personalData ? this.redactOnlyPersonalData : null;
  }
}

function untilClean(
  text: string,
  passes: readonly Pass[],
): { readonly clean: TracedText; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  let traced = TracedText.of(text);
  let idle = 0;
  for (let turn = 0; idle < passes.length; turn++) {
    if (turn === MOST_ROUNDS * passes.length) {
      return { clean: traced.edited([{ span: [0, traced.text.length], replacement: WITHHELD }]), findings };
    }
    const result = passes[turn % passes.length]?.(traced.text);
    if (result === undefined || result.edits.length === 0) {
      idle++;
      continue;
    }
    for (const finding of result.findings) {
      findings.push({ ...finding, span: traced.given(finding.span) });
    }
    traced = traced.edited(result.edits);
    idle = 0;
  }
  return { clean: traced, findings };
}
