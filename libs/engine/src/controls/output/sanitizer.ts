/** Which passes a text needs, by its settings. Also the redactor of everything that is stored. */
import { type Resumable, runToEnd } from '../../shared/resumable.js';
import { Redactor, type Redaction, type Diagnostics } from '../../shared/ports.js';
import { type Detector, type Finding, type Rendering, renderingFault } from '#contracts/output/output.js';
import type { Settings } from '#contracts/settings/settings.js';
import { CodeRegions } from './code-regions.js';
import { CrowdedMarkupPass } from './crowded-markup.pass.js';
import { builtInDetectors } from './detectors/built-in-detectors.js';
import { Detectors } from './detectors/detectors.js';
import { contentsOf } from './detectors/text-traits.js';
import { couldChange } from './lookalikes.js';
import { RedactionPass } from './redaction.pass.js';
import { ReplacementPass } from './replacement.pass.js';
import { ANY_HTML, HARMLESS_HTML, HtmlPass } from './html.pass.js';
import { LinkPolicy } from './link-policy.js';
import { MarkdownPass } from './markdown.pass.js';
import type { Pass } from './pass.js';
import { SanitizerSession } from './sanitizer-session.js';

/** Replaces a text that could not be redacted. */
const WITHHELD = '[withheld]';

export interface Sanitized {
  readonly text: string;
  /** Sorted by start. Spans are in UTF-16 units of the given text. */
  readonly findings: readonly Finding[];
}

export interface SanitizerOptions {
  /** Default: the setting `output_handler.rendering`. */
  readonly rendering?: Rendering | undefined;
}

/** @throws for an unknown rendering */
export function renderingOf({ rendering }: SanitizerOptions, settings: Settings): Rendering {
  const fault = renderingFault(rendering);
  if (fault !== null) throw new TypeError(fault);
  return rendering ?? settings.get('output_handler.rendering');
}

/**
 * Neutralizes model output. The result is clean for every pass, and sanitizing it again changes nothing. A whole text
 * is processed in the same way as one that arrives in chunks.
 */
export class Sanitizer extends Redactor {
  private readonly all: Detectors;
  private readonly onlySecrets: Detectors;
  private readonly onlyPersonalData: Detectors;

  /** A host's detectors run after the built-in ones. If one throws, sanitizing fails and redaction withholds the text. */
  constructor(
    detectors: readonly Detector[],
    private readonly diagnostics?: Diagnostics,
  ) {
    super();
    const all = [...builtInDetectors, ...detectors];
    this.all = new Detectors(all);
    this.onlySecrets = new Detectors(all.filter(({ kind }) => kind === 'secret_redaction'));
    this.onlyPersonalData = new Detectors(all.filter(({ kind }) => kind === 'pii_redaction'));
  }

  /** Starts a text that arrives in chunks. */
  begin(settings: Settings, options: SanitizerOptions = {}, keepsEdits = false): SanitizerSession {
    const rendering = renderingOf(options, settings);
    const maxLength = settings.get('output_handler.max_length');
    return new SanitizerSession(this.passes(settings, rendering), keepsEdits, maxLength);
  }

  sanitize(text: string, settings: Settings, options?: SanitizerOptions): Sanitized {
    return runToEnd(this.sanitizing(text, settings, options));
  }

  *sanitizing(text: string, settings: Settings, options?: SanitizerOptions): Resumable<Sanitized> {
    const session = this.begin(settings, options);
    const clean = yield* session.whole(text);
    return { text: clean, findings: session.report.findings };
  }

  override *redacting(text: string): Resumable<Redaction> {
    try {
      // Most prompts; a session takes ten times as long.
      if (!couldChange(text) && !this.all.couldFind(contentsOf(text))) return { text, edits: [] };
      yield;
      const session = new SanitizerSession([new RedactionPass(this.all)], true);
      const clean = yield* session.whole(text);
      return { text: clean, edits: session.report.edits };
    } catch {
      this.warnOfDetector();
      return { text: WITHHELD, edits: [{ span: [0, text.length], replacement: WITHHELD }] };
    }
  }

  override redactSecrets(text: string) {
    try {
      const session = new SanitizerSession([new RedactionPass(this.onlySecrets)]);
      return runToEnd(session.whole(text));
    } catch {
      this.warnOfDetector();
      return WITHHELD;
    }
  }

  *findingPersonalData(text: string): Resumable<readonly Finding[]> {
    const session = new SanitizerSession([new RedactionPass(this.onlyPersonalData)]);
    yield* session.whole(text);
    return session.report.findings;
  }

  private warnOfDetector() {
    this.diagnostics?.warn('a detector failed; the text is not stored');
  }

  private passes(settings: Settings, rendering: Rendering) {
    const passes: Pass[] = [ReplacementPass.ofHiddenText()];
    const detectors = this.detectors(settings);
    if (detectors !== null) passes.push(new RedactionPass(detectors));
    return rendering === 'text' ? passes : this.withMarkup(passes, settings, rendering);
  }

  /** Redaction precedes the passes for markup, because an edit of them could hide a part of a secret. */
  private withMarkup(redaction: readonly Pass[], settings: Settings, rendering: Rendering): readonly Pass[] {
    const html = settings.get('output_handler.sanitize_html');
    const markdown = settings.get('output_handler.neutralize_markdown');
    const keepsTags = settings.get('output_handler.html_mode') === 'allowlist';
    const policy = new LinkPolicy(settings.get('output_handler.allowed_hosts'));
    const stays = keepsTags ? HARMLESS_HTML : null;
    const isWhole = rendering === 'any' || (policy.namesHosts && rendering !== 'markdown');
    const code = new CodeRegions(html ? stays : ANY_HTML, isWhole, policy.namesHosts);
    const exempt = rendering === 'markdown' ? code : null;
    const crowd = new CrowdedMarkupPass(code, html && keepsTags);
    const passes: Pass[] = [crowd, ...redaction, code];
    if (rendering === 'slack') passes.push(ReplacementPass.ofSlack());
    else if (rendering === 'terminal') passes.push(ReplacementPass.ofTerminal());
    else if (html) passes.push(new HtmlPass(exempt, keepsTags ? policy : null, policy));
    else if (!markdown) return redaction;
    if (markdown) passes.push(new MarkdownPass({ policy, code, rendering, escapesTags: !html, crowd }));
    return passes;
  }

  private detectors(settings: Settings) {
    const secrets = settings.get('output_handler.redact_secrets');
    if (settings.get('output_handler.redact_pii')) return secrets ? this.all : this.onlyPersonalData;
    return secrets ? this.onlySecrets : null;
  }
}
