import { type Detector, type Finding } from '../../../contracts/src/output.js';
import { Redactor, type Redaction } from '../ports.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { builtInDetectors } from './detectors/built-in-detectors.js';
import { AllowlistPass } from './allowlist.pass.js';
import { EscapingPass } from './html.pass.js';
import { LinkPolicy } from './link-policy.js';
import { MarkdownPass } from './markdown.pass.js';
import type { Pass } from './pass.js';
import { Detectors, RedactionPass } from './redaction.pass.js';
import { Sanitising } from './sanitising.js';

export interface Sanitised {
  readonly text: string;
  /** By ascending start; spans in UTF-16 units of the text as given. */
  readonly findings: readonly Finding[];
}

/**
 * Neutralises model output: what comes out is clean in the eyes of all passes, and sanitising it again changes
 * nothing. A whole text takes the same way as one that comes in chunks.
 */
export class Sanitiser extends Redactor {
  private readonly all: Detectors;
  private readonly onlySecrets: Detectors;
  private readonly onlyPersonalData: Detectors;

  /** A host's detectors run after the built-in ones. One that throws makes the call fail: nothing unsanitised passes. */
  constructor(detectors: readonly Detector[]) {
    super();
    const all = [...builtInDetectors, ...detectors];
    this.all = new Detectors(all);
    this.onlySecrets = new Detectors(all.filter(({ kind }) => kind === 'secret_redaction'));
    this.onlyPersonalData = new Detectors(all.filter(({ kind }) => kind === 'pii_redaction'));
  }

  /** For a text that comes in chunks. */
  begin(settings: Settings): Sanitising {
    return new Sanitising(this.passes(settings));
  }

  sanitise(text: string, settings: Settings): Sanitised {
    const sanitising = this.begin(settings);
    const clean = sanitising.push(text) + sanitising.end();
    return { text: clean, findings: sanitising.findings };
  }

  override redact(text: string): Redaction {
    const redacting = new Sanitising([new RedactionPass(this.all)]);
    const clean = redacting.push(text) + redacting.end();
    return { text: clean, edits: redacting.edits };
  }

  override redactSecrets(text: string): string {
    const redacting = new Sanitising([new RedactionPass(this.onlySecrets)]);
    return redacting.push(text) + redacting.end();
  }

  private passes(settings: Settings): readonly Pass[] {
    const html = settings.get('output_handler.sanitize_html');
    const policy = new LinkPolicy(settings.get('output_handler.allowed_hosts'));
    const passes: Pass[] = [];
    if (html) {
      const keepsHarmless = settings.get('output_handler.html_mode') === 'allowlist';
      passes.push(keepsHarmless ? new AllowlistPass(policy) : new EscapingPass());
    }
    if (settings.get('output_handler.neutralize_markdown')) passes.push(new MarkdownPass(policy, !html));
    const detectors = this.detectors(settings);
    return detectors === null ? passes : [...passes, new RedactionPass(detectors)];
  }

  private detectors(settings: Settings): Detectors | null {
    const secrets = settings.get('output_handler.redact_secrets');
    if (settings.get('output_handler.redact_pii')) return secrets ? this.all : this.onlyPersonalData;
    return secrets ? this.onlySecrets : null;
  }
}
