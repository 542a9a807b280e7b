/** Characters that are removed or replaced wherever they stand: hidden text, and what Slack and terminals act on. */
import type { Finding } from '#contracts/output/output.js';
import { escapeSlackMarkup } from '#contracts/common/text.js';
import { INVISIBLE } from '../../text/characters.js';
import { Pass, UNCHANGED, type PassResult, type Stretch } from './pass.js';
import type { Edit } from '../../text/mapped-text.js';

/** Whole sequences of terminals: colors and cursor (CSI), strings such as links and titles (OSC, DCS, APC), and others. */
const SEQUENCE = String.raw`(?:\x1b\[|\x9b)[0-?]{0,64}[ -\/]{0,8}[@-~]|(?:\x1b[P\]X^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,500}(?:\x07|\x1b\\|\x9c)|\x1b[ -\/]{0,8}[0-~]`;

/** The flags of England, Scotland and Wales: a black flag, and a code in tags. */
const FLAG = String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;

/**
 * Invisible characters that a script or an emoji needs, one after a character: joiners in scripts whose letters join,
 * breaks in scripts without blanks, marks of direction, and what combines emoji.
 */
const NEEDED = String.raw`(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mand}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Mong}\p{scx=Phag}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Newa}\p{scx=Tibt}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Bali}\p{scx=Java}])[\u200c\u200d]|(?<=[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Lana}\p{scx=Tavt}])\u200b|(?<=\p{sc=Mong})[\u180b-\u180d\u180f]|(?<![\u200e\u200f\u061c])[\u200e\u200f\u061c]|(?<=\p{ExtPict})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=[\p{ExtPict}\p{EMod}\ufe0f])\u200d(?=\p{ExtPict})`;

const HIDDEN = new RegExp(`(${FLAG})|${SEQUENCE}|(?:(?![\\t\\n\\r])(?!${NEEDED})[${INVISIBLE}])+`, 'gu');
/** A unit of each of them. Most texts have none, and one test of a class is cheap. */
const POSSIBLY_HIDDEN = new RegExp(
  String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f\ud834\udb40-\udb43]`,
);
const MAX_FLAG = 16;
/** What the next characters may continue. */
const OPEN = /(?:\u{1f3f4}[\u{e0061}-\u{e007a}]{0,5}|\ufe0f|\u200d|\r)$/u;

/** Replaces every match of a pattern. */
export class ReplacementPass extends Pass {
  /** The end of the text before. */
  private before = '';

  /**
   * @param begins a text without a match of it has none of the pattern
   * @param pattern a match with a group stays
   */
  private constructor(
    private readonly detector: string,
    override begins: RegExp,
    private readonly pattern: RegExp,
    private readonly replacement: string,
  ) {
    super();
  }

  /** Removes what a reader does not see, and a model or a terminal reads. */
  static ofHiddenText(): ReplacementPass {
    return new ReplacementPass('control_character', POSSIBLY_HIDDEN, HIDDEN, '');
  }

  /** In a terminal, what follows a lone carriage return overwrites the line. */
  static ofTerminal(): ReplacementPass {
    return new ReplacementPass('control_character', /\r/, /\r(?!\n)/g, '\n');
  }

  /** In Slack, mentions and links with another text begin with this sign. */
  static ofSlack(): ReplacementPass {
    return new ReplacementPass('slack', /</, /</g, escapeSlackMarkup('<'));
  }

  override judge({ text, judged }: Stretch): PassResult {
    if (!this.begins.test(text)) return UNCHANGED;
    const { before, pattern, replacement, detector } = this;
    const edits: Edit[] = [];
    const findings: Finding[] = [];
    // A joined text is read faster than a concatenated one.
    const source = [before, text].join('');
    pattern.lastIndex = 0;
    for (let found = pattern.exec(source); found !== null; found = pattern.exec(source)) {
      const [match, stays] = found;
      const start = found.index - before.length;
      if (start >= judged) break;
      if (start < 0 || stays !== undefined) continue;
      const span = [start, start + match.length] as const;
      edits.push({ span, replacement });
      findings.push({ kind: 'markdown_sanitized', detector, span });
    }
    return edits.length === 0 ? UNCHANGED : { edits, findings };
  }

  override partBefore(text: string, limit: number) {
    const start = Math.max(0, limit - MAX_FLAG);
    const open = text.slice(start, limit).search(OPEN);
    return open < 0 ? limit : start + open;
  }

  override settle(text: string, end: number) {
    this.before = (this.before + text.slice(0, end)).slice(-2);
  }
}
