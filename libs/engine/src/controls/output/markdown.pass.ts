/** Finds where a rule for Markdown begins. The rules are in `markdown-links.ts`, `markdown-addresses.ts` and `executed-syntax.ts`. */
import type { Rendering } from '#contracts/output/output.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import type { CodeRegions } from './code-regions.js';
import type { CrowdedMarkupPass } from './crowded-markup.pass.js';
import { changeOfCommand, changesOfDiagram, DIAGRAM_SIGN, diagramsOf, MACRO } from './executed-syntax.js';
import type { LinkPolicy } from './link-policy.js';
import { MarkdownAddresses } from './markdown-addresses.js';
import {
  endsWithDefinition,
  judgeDefinition,
  judgeDetachedTarget,
  judgeImage,
  judgeLink,
  judgeTitles,
  MAX_LAST_LINES,
} from './markdown-links.js';
import { MarkdownText } from './markdown-text.js';
import { endOf, NextMatch } from '../../text/next-match.js';
import { ALWAYS, Pass, type PassResult, type Stretch } from './pass.js';
import { type Labels, ReferenceLabels } from './reference-labels.js';

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

interface MarkdownState extends Labels {
  /** How the diagram ends that is open at the start of the last line. */
  readonly openDiagram: string;
  /** The text names commands of TeX. */
  readonly hasMacros: boolean;
  /** The last line. */
  readonly line: string;
  /** The end of the text before, if it is a definition. */
  readonly lastLines: string;
}

/** Maximum look-back for the label before a target. */
const MAX_LOOK_BACK = 300;
/** The longest beginning of a line that may begin a diagram. */
const MAX_LINE = 600;
const MAX_MARKS = 32;
/** Units that a place is moved back at most over constructs that overlap. */
const MAX_CHAIN = 400;
/** Maximum look-ahead of a construct. */
const MAX_LOOK_AHEAD = 2600;

interface MarkdownOptions {
  readonly policy: LinkPolicy;
  /** Regions that stay as they are; where code is content, too, what is forbidden in them is broken, not removed. */
  readonly code: CodeRegions;
  /** `slack` and `terminal` show Markdown as text, and make links of addresses. */
  readonly rendering: Rendering;
  /** No other pass looks at HTML. */
  readonly escapesTags: boolean;
  /** Counts the findings. */
  readonly crowd: CrowdedMarkupPass;
}

/**
 * Removes foreign images (each can carry data out without a click), links and definitions that run code or lead where
 * the policy forbids, and what TeX, Mermaid or directives would run. Every rule reads a few characters around its trigger and no surrounding structure, so renderers that parse the text differently find nothing else.
 */
export class MarkdownPass extends Pass {
  private state: MarkdownState = {
    images: ReferenceLabels.none,
    foreign: ReferenceLabels.none,
    openDiagram: '',
    hasMacros: false,
    line: '',
    lastLines: '',
  };
  /** The result for the text that was walked last, because several methods walk the same text. */
  private last: MarkdownWalk | null = null;

  constructor(private readonly options: MarkdownOptions) {
    super();
  }

  override judge(stretch: Stretch): PassResult {
    const { result } = this.walk(stretch).markdown;
    if (stretch.isPreview !== true) this.options.crowd.addFindings(result.findings.length);
    return result;
  }

  override partBefore(text: string, limit: number, stable: number) {
    const { judged } = this.walkUntil(text, limit).markdown;
    let place = limit;
    for (let last = -1; place !== last && limit - place <= MAX_CHAIN;) {
      last = place;
      place = beforeConstruct(judged, beforeLabel(text, place));
    }
    // Where a long chain of constructs overlaps, only those count that may still change.
    if (limit - place > MAX_CHAIN) place = beforeConstruct(judged, beforeLabel(text, limit), stable);
    return beforeMarks(text, place);
  }

  override settle(text: string, end: number) {
    const walk = this.walkUntil(text, end);
    const { images, foreign } = walk.markdown.labels.before(end);
    const settled = this.state.line + text.slice(0, end);
    const lineStart = settled.lastIndexOf('\n') + 1;
    const openDiagram = diagramsOf(settled.slice(0, lineStart), this.state.openDiagram).open;
    const lines = (this.state.lastLines + text.slice(0, end)).slice(-MAX_LAST_LINES);
    const lastLines = endsWithDefinition(lines) ? lines : '';
    this.state = {
      images,
      foreign,
      openDiagram,
      hasMacros: walk.macroAt < end,
      line: settled.slice(lineStart).slice(-MAX_LINE),
      lastLines,
    };
    // Each word of a diagram could be a command, and each one after a definition its title.
    // A line with three marks may open one.
    const isOpen = !/^\0(?!.*[`~:]{3})/.test(openDiagram + lastLines + '\0' + this.state.line);
    this.begins = isOpen ? ALWAYS : /(?!)/;
    this.last = null;
  }

  private walkUntil(text: string, end: number) {
    const isKnown = this.last?.stretch.text === text && this.last.stretch.judged >= end;
    return isKnown && this.last !== null ? this.last : this.walk({ text, judged: text.length });
  }

  private walk(stretch: Stretch) {
    this.last = new MarkdownWalk(stretch, this.state, this.options).walk();
    return this.last;
  }
}

/** Before all constructs that overlap at the place and end after `stable`. */
function beforeConstruct(judged: readonly number[], limit: number, stable = 0) {
  let place = limit;
  for (let index = judged.length - 2; index >= 0; index -= 2) {
    const from = judged[index] ?? 0;
    const until = judged[index + 1] ?? 0;
    if (from < place && place < until && until > stable) place = from;
    if (from < place - MAX_LOOK_AHEAD) break;
  }
  return place;
}

/** Before a label that is open at the place. */
function beforeLabel(text: string, place: number) {
  if (/^!?\[/.test(text.slice(place, place + 2))) return place;
  const from = Math.max(0, place - MAX_LOOK_BACK);
  const start = text.slice(from, place).search(/(?<!\[)!?\[[^[\]]*$/);
  return start < 0 ? place : from + start;
}

/** The place before characters whose meaning depends on the next one, unless they form a long run. */
function beforeMarks(text: string, place: number) {
  let start = place;
  while (start > 0 && place - start < MAX_MARKS && /[!:&@%\\\]]/.test(text.charAt(start - 1))) start--;
  return place - start < MAX_MARKS ? start : place;
}

/** Finds the changes of one stretch, from left to right. */
class MarkdownWalk {
  readonly markdown: MarkdownText;
  private readonly addresses: MarkdownAddresses;
  private readonly text: string;
  private readonly labelEnds: NextMatch;
  private readonly diagramSigns: NextMatch;
  private readonly regions: readonly Utf16Span[];
  /** Where the text first names commands of TeX. */
  macroAt: number;

  constructor(
    readonly stretch: Stretch,
    private readonly before: MarkdownState,
    private readonly options: MarkdownOptions,
  ) {
    const { policy, code, rendering } = options;
    this.text = stretch.text;
    this.labelEnds = new NextMatch(']{', this.text);
    this.diagramSigns = new NextMatch(DIAGRAM_SIGN, this.text);
    this.regions = code.of(this.text);
    this.macroAt = before.hasMacros ? -1 : Infinity;
    this.markdown = new MarkdownText(stretch, before, policy, this.regions, rendering === 'any');
    this.addresses = new MarkdownAddresses(this.markdown, before.line.slice(-MAX_TAIL));
  }

  walk(): this {
    const regions = this.options.rendering === 'markdown' ? this.regions : [];
    const isMarkdown = this.options.rendering === 'markdown' || this.options.rendering === 'any';
    if (isMarkdown) this.walkContent(regions);
    const { line, openDiagram } = this.before;
    const diagrams = isMarkdown ? diagramsOf(line + this.text, openDiagram).spans : [];
    let next = 0;
    for (const span of gaps(regions, this.stretch.judged)) {
      while ((diagrams[next]?.[1] ?? Infinity) <= span[0] + line.length) next++;
      for (let index = next; (diagrams[index]?.[0] ?? Infinity) < span[1] + line.length; index++)
        this.judgeDiagram(diagrams[index] as Utf16Span, span);
      if (this.options.policy.namesHosts) this.addresses.judge(span);
    }
    if (this.options.rendering === 'any') {
      this.judgeQuotes();
      judgeTitles(this.markdown, this.before.lastLines);
    }
    return this;
  }

  /** Judges every trigger outside of code. */
  private walkContent(regions: readonly Utf16Span[]): void {
    const { text, stretch } = this;
    const trigger = this.options.escapesTags ? TRIGGER_WITH_HTML : TRIGGER;
    let region = 0;
    trigger.lastIndex = 0;
    for (let found = trigger.exec(text); found !== null; found = trigger.exec(text)) {
      const { index } = found;
      if (index >= stretch.judged) return;
      while ((regions[region]?.[1] ?? Infinity) <= index) region++;
      const inCode = (regions[region]?.[0] ?? Infinity) <= index;
      if (!inCode && index >= this.markdown.edited) this.judgeAt(index);
      trigger.lastIndex = Math.max(index + 1, inCode ? (regions[region]?.[1] ?? 0) : this.markdown.edited);
    }
  }

  private judgeAt(at: number): void {
    const { text } = this;
    switch (text[at]) {
      case '!':
        judgeImage(this.markdown, at);
        return;
      case ']':
        if (text[at + 1] === '(') judgeLink(this.markdown, at);
        else if (text[at + 1] === ':') judgeDefinition(this.markdown, at);
        else judgeDetachedTarget(this.markdown, at);
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
        const change = changeOfCommand(text, at, this.options.policy, this.labelEnds, this.macroAt < at);
        this.markdown.see(at, at + 32);
        if (change !== null) this.markdown.replace(change.span, change.replacement);
      }
    }
  }

  private judgeQuotes(): void {
    const { text, markdown } = this;
    if (!text.includes('"')) return;
    let seen = 0;
    for (const { index } of text.matchAll(HANDLER)) {
      const near = text.slice(Math.max(seen, index - MAX_QUOTE_DISTANCE), index);
      const cell = near.split(CELL_END).at(-1) ?? '';
      seen = index;
      for (const { index: at, 0: quotes } of cell.matchAll(/"+/g)) {
        const start = index - cell.length + at;
        const span: Utf16Span = [start, start + quotes.length];
        if (start >= this.stretch.judged || markdown.overlapsEdit(span)) continue;
        markdown.see(start, span[1] + MAX_QUOTE_DISTANCE + MAX_HANDLER);
        markdown.replace(span, '&quot;'.repeat(quotes.length));
      }
    }
  }

  private judgeTag(at: number) {
    const tag = endOf(BARE_TAG, this.text, at);
    const autolink = endOf(PLAIN_AUTOLINK, this.text, at);
    const isHarmless = tag > 0 || (autolink > 0 && !this.options.policy.forbidsLink(this.text, at));
    this.markdown.see(at, Math.max(at + 2, tag, autolink));
    // With a space after `<`, a browser reads no tag, and other readers keep the bracket.
    if (!isHarmless) this.markdown.replace([at, at + 1], '< ');
  }

  /** Some renderers copy the language of a fence into an attribute without escaping its quotes. */
  private judgeFence(at: number) {
    if (this.options.rendering !== 'any') return;
    const end = this.text.slice(at, at + 240).search(/["']/) + at;
    this.markdown.see(at, end + 1);
    if (end < at) return;
    this.markdown.replace([end, end + 1], this.text[end] === '"' ? '&quot;' : '&#39;');
  }

  /** @param start of the diagram in its line, which may have begun before the text */
  private judgeDiagram([start, end]: Utf16Span, content: Utf16Span): void {
    const offset = this.before.line.length;
    const span: Utf16Span = [Math.max(start - offset, content[0]), Math.min(end - offset, content[1])];
    if (span[0] >= span[1]) return;
    const { text, diagramSigns } = this;
    for (const { span: part, replacement } of changesOfDiagram(
      text,
      span,
      this.options.policy,
      diagramSigns,
    )) {
      this.markdown.see(part[0], part[1]);
      if (!this.markdown.overlapsEdit(part)) this.markdown.replace(part, replacement);
    }
  }
}

/** The spans between the regions, up to `end`. */
function gaps(regions: readonly Utf16Span[], end: number): readonly Utf16Span[] {
  const spans: Utf16Span[] = [];
  let read = 0;
  for (const [start, stop] of regions) {
    if (start > read) spans.push([read, Math.min(start, end)]);
    read = stop;
  }
  if (read < end) spans.push([read, end]);
  return spans.filter(([start, stop]) => start < stop);
}
