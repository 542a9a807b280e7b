import { LinkPolicy } from './link-policy.js';
import { atTheBeginning } from './markdown-state.js';
import { MarkdownWalk } from './markdown-walk.js';
import { Pass, SIGHT, type PassResult, type Stretch } from './pass.js';

/** As much as the beginning of an address, and what must not stand before it. */
const LONGEST_TAIL = 9;

/**
 * Takes the danger out of markdown: images that would be fetched from elsewhere (each one can carry data out, without
 * a click), links and definitions that run code or lead where the policy forbids. Code stays as it is.
 */
export class MarkdownPass extends Pass {
  private state = atTheBeginning();

  constructor(
    private readonly policy: LinkPolicy,
    /** Nothing else looks at HTML. */
    private readonly alsoHtml: boolean,
  ) {
    super();
  }

  override judge(stretch: Stretch): PassResult {
    return this.walk(stretch).result;
  }

  /** At the beginning of a line, or behind a blank, if one is near. */
  override partBefore(text: string, limit: number): number {
    const { line, blank, any } = this.walk({ text, judged: 0 }, limit).places;
    const near = [line, blank].find((place) => limit - place < SIGHT / 4);
    return near ?? any;
  }

  override settle(text: string, end: number): void {
    const { state } = this.walk({ text, judged: 0 }, end);
    if (end > 0 && end < text.length) state.atLineStart = /[\r\n]/.test(text.charAt(end - 1));
    const tail = (state.tail + text.slice(Math.max(0, end - LONGEST_TAIL), end)).slice(-LONGEST_TAIL);
    this.state = { ...state, tail, settled: state.settled + end };
  }

  private walk(stretch: Stretch, until = stretch.text.length): MarkdownWalk {
    return new MarkdownWalk(stretch, { ...this.state }, this.policy, this.alsoHtml).walk(until);
  }
}
