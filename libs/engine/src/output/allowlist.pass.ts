import type { Finding } from '../../../contracts/src/output.js';
import { endOfTag } from './html.pass.js';
import { keptTags } from './kept-tags.js';
import type { LinkPolicy } from './link-policy.js';
import { Pass, type PassResult, type Stretch } from './pass.js';
import type { Edit } from './traced-text.js';

const BEGINS_MARKUP = /[A-Za-z/!?]/;

/** Keeps tags of a few harmless elements, strips them of all but a few harmless attributes, and escapes other markup. */
export class AllowlistPass extends Pass {
  constructor(private readonly policy: LinkPolicy) {
    super();
  }

  override judge({ text, judged }: Stretch): PassResult {
    const edits: Edit[] = [];
    const findings: Finding[] = [];
    const kept = text.includes('<') ? keptTags(text, this.policy) : new Map<number, Edit>();
    for (let at = text.indexOf('<'); at !== -1 && at < judged; at = text.indexOf('<', at + 1)) {
      if (!BEGINS_MARKUP.test(text.charAt(at + 1))) continue;
      const tag = kept.get(at);
      const edit = tag ?? { span: [at, at + 1] as const, replacement: '&lt;' };
      if (tag !== undefined) at = tag.span[1] - 1;
      if (text.slice(...edit.span) === edit.replacement) continue;
      edits.push(edit);
      const [start] = edit.span;
      findings.push({
        kind: 'html_stripped',
        detector: 'html',
        span: tag?.span ?? [start, endOfTag(text, start)],
      });
    }
    return { edits, findings };
  }

  override partBefore(text: string, limit: number): number {
    let place = limit;
    for (
      let at = text.lastIndexOf('<', limit - 1);
      at >= 0 && place > 0;
      at = text.lastIndexOf('<', at - 1)
    ) {
      const isWithin =
        at === place - 1 || (BEGINS_MARKUP.test(text.charAt(at + 1)) && endOfTag(text, at) > place);
      if (!isWithin) break;
      place = at;
      if (at === 0) break;
    }
    return place;
  }

  override settle(): void {
    // Every tag is judged by itself.
  }
}
