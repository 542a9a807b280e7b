import type {
  Confidence,
  RuleExplanation,
  ScreenedOrigin,
  ScreeningRule,
  Severity,
} from '#contracts/screening/screening.js';
import type { Lexicon } from '../lexicons/lexicon.js';

/** Rules about one idea, in the order of evaluation. */
export interface RuleGroup {
  /** Settings, filters and records of earlier versions may name it. */
  readonly id: string;
  readonly description: string;
  /** Why such texts are suspicious. Holds for all its rules. */
  readonly rationale: string;
  readonly severity: Severity;
  readonly tags: readonly string[];
  /** Default: all. */
  readonly origins?: readonly ScreenedOrigin[];
  /** Default `high`. */
  readonly confidence?: Confidence;
  readonly rules: readonly GroupedRule[];
}

interface GroupedRule extends Omit<RuleExplanation, 'rationale'> {
  /** Follows the id of the group and a point. */
  readonly name: string;
  /** At most 400 characters; case-insensitive, on the normalized text. */
  readonly pattern: string;
  /** Default: that of the group. */
  readonly confidence?: Confidence;
}

export function rulesOf({ id: group, rules, ...shared }: RuleGroup): readonly ScreeningRule[] {
  return rules.map(({ name, ...rule }) => ({ ...shared, ...rule, id: `${group}.${name}`, group }));
}

/** The members of a group or a rule as they are written. */
type Written = Map<string, readonly string[]>;

/** Replaces a name in braces by a part of a pattern. */
type Expand = (name: string) => string;

/**
 * Reads groups of rules from a text: `group ID` and `rule NAME` begin one, and each further line has a member. A pattern
 * names concepts in braces.
 */
export function groupsIn(text: string, expand: Expand): readonly RuleGroup[] {
  return text
    .split(/^group /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...rules] = part.split(/^\s*rule /m);
      const { id, members } = read(head);
      return { ...membersOfGroup(members, id), rules: rules.map((rule) => ruleIn(rule, expand)) };
    });
}

function read(part: string): { readonly id: string; readonly members: Written } {
  const [id = '', ...lines] = part.trim().split('\n');
  const members: Written = new Map();
  for (const line of lines) {
    const [, key, value] = /^\s*(\w+): (.+)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined)
      members.set(key, [...(members.get(key) ?? []), value.trim()]);
    else if (line.trim() !== '')
      throw new Error(`The rule or group ${id} has the line "${line}" without a name.`);
  }
  return { id: id.trim(), members };
}

const one = (members: Written, key: string) => members.get(key)?.[0] ?? '';
const list = (members: Written, key: string): readonly string[] => one(members, key).split(', ');

function membersOfGroup(members: Written, id: string): Omit<RuleGroup, 'rules'> {
  return {
    id,
    description: one(members, 'description'),
    rationale: one(members, 'rationale'),
    severity: one(members, 'severity') as Severity,
    tags: list(members, 'tags'),
    ...(members.has('origins') && { origins: list(members, 'origins') as readonly ScreenedOrigin[] }),
    ...(members.has('confidence') && { confidence: one(members, 'confidence') as Confidence }),
  };
}

function ruleIn(part: string, expand: Expand): GroupedRule {
  const { id: name, members } = read(part);
  const texts = (key: string): readonly string[] =>
    (members.get(key) ?? []).map((text) => text.replaceAll(String.raw`\n`, '\n'));
  return {
    name,
    description: one(members, 'description'),
    pattern: one(members, 'pattern').replaceAll(/\{([a-z][^{}]*|\d+ [^{}]*)\}/g, (_, named: string) =>
      expand(named),
    ),
    examples: texts('finds'),
    nearMisses: texts('passes'),
    ...(members.has('confidence') && { confidence: one(members, 'confidence') as Confidence }),
  };
}

/** The gap between two words: empty, as in a text with spaced letters, or a few punctuation marks. */
const GAP = String.raw`\W{0,4}`;

/** The rest of the sentence. The limit is in sentences because counting characters needs many automaton states. */
const SENTENCE = '[^.!?]*?';

/**
 * Names in the patterns of rules on words: concepts of the lexicon, and what may stand between them. `words 3` are up to three
 * words, each with the following gap, `within 3` the same in one sentence, `few 3` the same with the gap before them, and
 * `sentences 1` the following text up to this number of sentences.
 */
export const wordsOf =
  (lexicon: Lexicon): Expand =>
  (name) => {
    const [shape, most = '0'] = name.split(' ');
    switch (shape) {
      case 'gap':
        return GAP;
      case 'words':
        return String.raw`(?:\w+${GAP}){0,${most}}?`;
      case 'within':
        return String.raw`(?:\w+[^\w.!?:]{0,3}){0,${most}}?`;
      case 'few':
        return lexicon.isSpaced
          ? String.raw`\P{L}{1,3}(?:\S+ ){0,${most}}?`
          : String.raw`[\s"'「」“”《》:,、的]{0,2}[^。.!?,、]{0,${3 * Number(most)}}?`;
      case 'sentence':
        return SENTENCE;
      case 'sentences':
        return `(?:[^.!?]*[.!?]){0,${most}}?${SENTENCE}`;
      default:
        return lexicon.patternOf(name);
    }
  };
