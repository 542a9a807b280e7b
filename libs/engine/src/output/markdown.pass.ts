import { LinkPolicy } from './link-policy.js';
import { atTheBeginning } from './markdown-state.js';
import { MarkdownWalk } from './markdown-walk.js';
import { Pass, SIGHT, type PassResult, type Stretch } from './pass.js';

const LINE_END = /[\r\n]/;
const BLANK = /\s/;

/** As much as the beginning of an address, and what must not stand before it. */
const LONGEST_TAIL = 9;

/**
 * Takes the danger out of markdown: images that would be fetched from elsewhere (each one can carry data out, without
 * a click), links and definitions that run code or lead where the policy forbids. Code stays as it is.
 */
export class MarkdownPass extends Pass {
  private state = atTheBeginning();
  private seen: { text: string; limit: number; places: ReadonlySet<number> } | null = null;

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
    const places = this.placesIn(text, limit);
    const last = lastOf(places, limit, 0, () => true);
    const farthest = Math.max(0, limit - SIGHT / 4);
    return (
      lastOf(places, last, farthest, (at) => LINE_END.test(text.charAt(at - 1))) ||
      lastOf(places, last, farthest, (at) => BLANK.test(text.charAt(at - 1))) ||
      last
    );
  }

  override settle(text: string, end: number): void {
    this.seen = null;
    const { state } = this.walk({ text, judged: 0 }, end);
    if (end > 0 && end < text.length) state.atLineStart = /[\r\n]/.test(text.charAt(end - 1));
    const tail = (state.tail + text.slice(Math.max(0, end - LONGEST_TAIL), end)).slice(-LONGEST_TAIL);
    this.state = { ...state, tail, settled: state.settled + end };
  }

  /** The same text is asked about over and over, until all passes agree. */
  private placesIn(text: string, limit: number): ReadonlySet<number> {
    if (this.seen?.text !== text || this.seen.limit < limit) {
      const places = new Set<number>();
      this.walk({ text, judged: 0 }, limit, places);
      this.seen = { text, limit, places };
    }
    return this.seen.places;
  }

  private walk(stretch: Stretch, until = stretch.text.length, places?: Set<number>): MarkdownWalk {
    return new MarkdownWalk(stretch, { ...this.state }, this.policy, this.alsoHtml, places).walk(until);
  }
}

/** 0 where there is none. */
function lastOf(
  places: ReadonlySet<number>,
  from: number,
  to: number,
  isWanted: (place: number) => boolean,
): number {
  for (let at = from; at > to; at--) if (places.has(at) && isWanted(at)) return at;
  return 0;
}
