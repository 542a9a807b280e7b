import type { Rendering } from '#contracts/output/output.js';
import type { Span } from '#contracts/common/text.js';
import type { CodeRegions } from './code-regions.js';
import {
  changeOfCommand,
  changesOfDiagram,
  DIAGRAM_SIGN,
  diagramsOf,
  LABEL_END,
  MACRO,
} from './executed-syntax.js';
import type { LinkPolicy } from './link-policy.js';
import { MarkdownAddresses } from './markdown-addresses.js';
import { MarkdownChanges } from './markdown-changes.js';
import { MarkdownDefinitions } from './markdown-definitions.js';
import { MarkdownImages, MarkdownLinks } from './markdown-links.js';
import { MarkdownTargets } from './markdown-targets.js';
import { endOf, NextMatch } from './next-match.js';
import type { PassResult, Stretch } from './pass.js';
import { LabelsOfText, type Labels } from './reference-labels.js';

const TRIGGER =
  /!\[|\](?=[(:]|[ \t]+\(|[ \t]{64})|\\(?=[A-Za-z])|&(?=#|bsol;|colon;|sol;|period;|Tab;|NewLine;)|:(?=[A-Za-z\u0080-\uffff]|\\?\/\\?\/)|[`~](?=[`~]{2}[^`~\n]{0,200}["'])/g;
const TRIGGER_WITH_HTML = new RegExp(`${TRIGGER.source}|<(?=[A-Za-z/!?])`, 'g');
/** A handler. After a quote in one cell it runs: showdown copies the header of a table into an attribute. */
const HANDLER = /(?<=[\s/"'])(?:[oO][nN][A-Za-z]{3,25}\s{0,8}[=|]|[sS][tT][yY][lL][eE]\s{0,8}=)/g;
const CELL_END = /[|\n\r]/;

/** Without attributes only these two load or run anything. */
const BARE_TAG = /<\/?(?!(?:script|style)\b)[a-z][a-z0-9]{0,15} ?\/?>/iy;
const PLAIN_AUTOLINK =
  /<(?:https?:\/\/|mailto:)[A-Za-z0-9\-._~:/@%+]{1,400}(?:#[a-z0-9\-._~%:@/]{0,200})?>/iy;

const SCHEME_PART = /[A-Za-z/\\\u0080-\uffff]/;

/** Units of the line before that decide whether an address begins. */
const MAX_TAIL = 9;
/** How far a handler may be from the quote before it, and its own length. */
const MAX_QUOTE_DISTANCE = 200;
const MAX_HANDLER = 40;

export interface MarkdownState extends Labels {
  /** How the diagram ends that is open at the start of the last line. */
  readonly openDiagram: string;
  /** The text names commands of TeX. */
  readonly hasMacros: boolean;
  /** The last line. */
  readonly line: string;
  /** The end of the text before, if it is a definition. */
  readonly lastLines: string;
}

/** Finds the changes of one stretch, from left to right. */
export class MarkdownWalk {
  private readonly changes: MarkdownChanges;
  private readonly labels: LabelsOfText;
  private readonly images: MarkdownImages;
  private readonly links: MarkdownLinks;
  private readonly definitions: MarkdownDefinitions;
  private readonly addresses: MarkdownAddresses;
  private readonly text: string;
  private readonly labelEnds: NextMatch;
  private readonly diagramSigns: NextMatch;
  private readonly regions: readonly Span[];
  /** Where the text first names commands of TeX. */
  macroAt: number;

  constructor(
    readonly stretch: Stretch,
    private readonly before: MarkdownState,
    private readonly policy: LinkPolicy,
    code: CodeRegions,
    private readonly rendering: Rendering,
    private readonly escapesTags: boolean,
  ) {
    this.text = stretch.text;
    this.labelEnds = new NextMatch(LABEL_END, this.text);
    this.diagramSigns = new NextMatch(DIAGRAM_SIGN, this.text);
    this.regions = code.of(this.text);
    this.macroAt = before.hasMacros ? -1 : Infinity;
    this.changes = new MarkdownChanges(stretch);
    this.labels = new LabelsOfText(before);
    const { changes, labels } = this;
    const isAnyRenderer = rendering === 'any';
    const targets = new MarkdownTargets(changes, this.regions, isAnyRenderer);
    this.images = new MarkdownImages(changes, targets, labels, policy);
    this.links = new MarkdownLinks(changes, targets, policy, isAnyRenderer);
    this.definitions = new MarkdownDefinitions(
      changes,
      targets,
      labels,
      policy,
      isAnyRenderer,
      before.lastLines,
    );
    this.addresses = new MarkdownAddresses(changes, policy, before.line.slice(-MAX_TAIL));
  }

  /** Pairs: where something begins, and how far it was looked at. */
  get judged(): readonly number[] {
    return this.changes.judged;
  }

  get result(): PassResult {
    return this.changes.result;
  }

  /** The labels that precede a place. */
  labelsBefore(end: number): Labels {
    return this.labels.before(end);
  }

  walk(): this {
    const regions = this.rendering === 'markdown' ? this.regions : [];
    const isMarkdown = this.rendering === 'markdown' || this.rendering === 'any';
    if (isMarkdown) this.walkContent(regions);
    const { line, openDiagram } = this.before;
    const diagrams = isMarkdown ? diagramsOf(line + this.text, openDiagram).spans : [];
    let next = 0;
    for (const span of gaps(regions, this.stretch.judged)) {
      while ((diagrams[next]?.[1] ?? Infinity) <= span[0] + line.length) next++;
      for (let index = next; (diagrams[index]?.[0] ?? Infinity) < span[1] + line.length; index++)
        this.judgeDiagram(diagrams[index] as Span, span);
      if (this.policy.namesHosts) this.addresses.judge(span);
    }
    if (this.rendering === 'any') {
      this.judgeQuotes();
      this.definitions.judgeTitles();
    }
    return this;
  }

  /** Judges every trigger outside of code. */
  private walkContent(regions: readonly Span[]): void {
    const { text, stretch } = this;
    const trigger = this.escapesTags ? TRIGGER_WITH_HTML : TRIGGER;
    let region = 0;
    trigger.lastIndex = 0;
    for (let found = trigger.exec(text); found !== null; found = trigger.exec(text)) {
      const { index } = found;
      if (index >= stretch.judged) return;
      while ((regions[region]?.[1] ?? Infinity) <= index) region++;
      const inCode = (regions[region]?.[0] ?? Infinity) <= index;
      if (!inCode && index >= this.changes.edited) this.judgeAt(index);
      trigger.lastIndex = Math.max(index + 1, inCode ? (regions[region]?.[1] ?? 0) : this.changes.edited);
    }
  }

  private judgeAt(at: number): void {
    const { text } = this;
    switch (text[at]) {
      case '!':
        this.images.judge(at);
        return;
      case ']':
        if (text[at + 1] === '(') this.links.judge(at);
        else if (text[at + 1] === ':') this.definitions.judge(at);
        else this.links.judgeDetached(at);
        return;
      case '<':
        this.judgeTag(at);
        return;
      case '`':
      case '~':
        this.judgeFence(at);
        return;
      default: {
        if (text[at] === ':' && SCHEME_PART.test(text.charAt(at + 1))) this.addresses.judgeScheme(at);
        if (text[at + 1] === '/') return;
        if (endOf(MACRO, text, at) > 0) this.macroAt = Math.min(this.macroAt, at);
        const change = changeOfCommand(text, at, this.policy, this.labelEnds, this.macroAt < at);
        this.changes.see(at, at + 32);
        if (change !== null) this.changes.replace(change.span, change.replacement);
      }
    }
  }

  private judgeQuotes(): void {
    const { text, changes } = this;
    if (!text.includes('"')) return;
    let seen = 0;
    for (const { index } of text.matchAll(HANDLER)) {
      const near = text.slice(Math.max(seen, index - MAX_QUOTE_DISTANCE), index);
      const cell = near.split(CELL_END).at(-1) ?? '';
      seen = index;
      for (const { index: at, 0: quotes } of cell.matchAll(/"+/g)) {
        const start = index - cell.length + at;
        const span: Span = [start, start + quotes.length];
        if (start >= this.stretch.judged || changes.overlapsEdit(...span)) continue;
        changes.see(start, span[1] + MAX_QUOTE_DISTANCE + MAX_HANDLER);
        changes.replace(span, '&quot;'.repeat(quotes.length));
      }
    }
  }

  private judgeTag(at: number): void {
    const tag = endOf(BARE_TAG, this.text, at);
    const autolink = endOf(PLAIN_AUTOLINK, this.text, at);
    const isHarmless = tag > 0 || (autolink > 0 && !this.policy.forbidsLink(this.text, at));
    this.changes.see(at, Math.max(at + 2, tag, autolink));
    // With a space after `<`, a browser reads no tag, and other readers keep the bracket.
    if (!isHarmless) this.changes.replace([at, at + 1], '< ');
  }

  /** Some renderers copy the language of a fence into an attribute without escaping its quotes. */
  private judgeFence(at: number): void {
    if (this.rendering !== 'any') return;
    const end = this.text.slice(at, at + 240).search(/["']/) + at;
    this.changes.see(at, end + 1);
    if (end < at) return;
    this.changes.replace([end, end + 1], this.text[end] === '"' ? '&quot;' : '&#39;');
  }

  /** @param start of the diagram in its line, which may have begun before the text */
  private judgeDiagram([start, end]: Span, content: Span): void {
    const offset = this.before.line.length;
    const span: Span = [Math.max(start - offset, content[0]), Math.min(end - offset, content[1])];
    if (span[0] >= span[1]) return;
    const { text, policy, diagramSigns } = this;
    for (const { span: part, replacement } of changesOfDiagram(text, span, policy, diagramSigns)) {
      this.changes.see(...part);
      if (!this.changes.overlapsEdit(...part)) this.changes.replace(part, replacement);
    }
  }
}

/** The spans between the regions, up to `end`. */
function gaps(regions: readonly Span[], end: number): readonly Span[] {
  const spans: Span[] = [];
  let read = 0;
  for (const [start, stop] of regions) {
    if (start > read) spans.push([read, Math.min(start, end)]);
    read = stop;
  }
  if (read < end) spans.push([read, end]);
  return spans.filter(([start, stop]) => start < stop);
}
