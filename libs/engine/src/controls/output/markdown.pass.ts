import type { Rendering } from '#contracts/output/output.js';
import type { CodeRegions } from './code-regions.js';
import type { CrowdedMarkupPass } from './crowded-markup.pass.js';
import { diagramsOf } from './executed-syntax.js';
import type { LinkPolicy } from './link-policy.js';
import { MAX_LAST_LINES, endsWithDefinition } from './markdown-definitions.js';
import { MarkdownWalk, type MarkdownState } from './markdown-walk.js';
import { ALWAYS, Pass, type PassResult, type Stretch } from './pass.js';
import { ReferenceLabels } from './reference-labels.js';

/** Maximum look-back for the label before a target. */
const MAX_LOOK_BACK = 300;
/** The longest beginning of a line that may begin a diagram. */
const MAX_LINE = 600;
const MAX_MARKS = 32;
/** Units that a place is moved back at most over constructs that overlap. */
const MAX_CHAIN = 400;
/** Maximum look-ahead of a construct. */
const MAX_LOOK_AHEAD = 2600;

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

  /**
   * @param code regions that stay as they are; where code is content, too, what is forbidden in them is broken, not removed
   * @param rendering `slack` and `terminal` show Markdown as text, and make links of addresses
   * @param escapesTags no other pass looks at HTML
   * @param crowd counts the findings
   */
  constructor(
    private readonly policy: LinkPolicy,
    private readonly code: CodeRegions,
    private readonly rendering: Rendering,
    private readonly escapesTags: boolean,
    private readonly crowd: CrowdedMarkupPass,
  ) {
    super();
  }

  override judge(stretch: Stretch): PassResult {
    const { result } = this.walk(stretch);
    if (stretch.isPreview !== true) this.crowd.addFindings(result.findings.length);
    return result;
  }

  override partBefore(text: string, limit: number, stable: number): number {
    const { judged } = this.walkUntil(text, limit);
    let place = limit;
    for (let last = -1; place !== last && limit - place <= MAX_CHAIN;) {
      last = place;
      place = beforeConstruct(judged, beforeLabel(text, place));
    }
    // Where a long chain of constructs overlaps, only those count that may still change.
    if (limit - place > MAX_CHAIN) place = beforeConstruct(judged, beforeLabel(text, limit), stable);
    return beforeMarks(text, place);
  }

  override settle(text: string, end: number): void {
    const walk = this.walkUntil(text, end);
    const { images, foreign } = walk.labelsBefore(end);
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

  private walkUntil(text: string, end: number): MarkdownWalk {
    const isKnown = this.last?.stretch.text === text && this.last.stretch.judged >= end;
    return isKnown && this.last !== null ? this.last : this.walk({ text, judged: text.length });
  }

  private walk(stretch: Stretch): MarkdownWalk {
    const { state, policy, code, rendering, escapesTags } = this;
    this.last = new MarkdownWalk(stretch, state, policy, code, rendering, escapesTags).walk();
    return this.last;
  }
}

/** Before all constructs that overlap at the place and end after `stable`. */
function beforeConstruct(judged: readonly number[], limit: number, stable = 0): number {
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
function beforeLabel(text: string, place: number): number {
  if (/^!?\[/.test(text.slice(place, place + 2))) return place;
  const from = Math.max(0, place - MAX_LOOK_BACK);
  const start = text.slice(from, place).search(/(?<!\[)!?\[[^[\]]*$/);
  return start < 0 ? place : from + start;
}

/** The place before characters whose meaning depends on the next one, unless they form a long run. */
function beforeMarks(text: string, place: number): number {
  let start = place;
  while (start > 0 && place - start < MAX_MARKS && /[!:&@%\\\]]/.test(text.charAt(start - 1))) start--;
  return place - start < MAX_MARKS ? start : place;
}
