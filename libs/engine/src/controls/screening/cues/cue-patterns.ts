/** The tag of rules whose patterns are searched in cues and not in words. */
export const CUES_TAG = 'cues';

/** What a word can be in an instruction to a model. Lexicons have the words; those of the last two are known by their form. */
const CONCEPTS = [
  'model',
  'agent',
  'assistant',
  'reader',
  'program',
  'user',
  'you',
  'answer',
  'condition',
  'reads',
  'text',
  'note',
  'must',
  'please',
  'send',
  'change',
  'say',
  'discard',
  'not',
  'conceal',
  'leave_out',
  'secret',
  'tool',
  'rules',
  'past',
  'new_task',
  'authority',
  'memory',
  'describes',
  'to',
  'people',
  'used',
  'address',
  'hidden',
] as const;

export type Concept = (typeof CONCEPTS)[number];

export const WORD_CONCEPTS: readonly Concept[] = CONCEPTS.slice(0, -2);

/** A concept is one letter or digit in the text of cues, which a pattern does not name. */
export function signOf(concept: string): string {
  const place = (CONCEPTS as readonly string[]).indexOf(concept);
  if (place < 0) throw new Error(`No cue has the name "${concept}". The names are ${CONCEPTS.join(', ')}.`);
  return place.toString(36);
}

const signsOf = (concepts: string) => concepts.split('|').map(signOf).join('');

/** Another word, and a word of these concepts in the text of cues. */
export const OTHER_WORD = '_';
export const cueOf = (signs: string): string => `<${signs}>`;

const cue = (concepts: string) => String.raw`<\w*[${signsOf(concepts)}]\w*>`;
const not = (concepts: string) => `(?:_|<[^${signsOf(concepts)}<>]+>)`;

const HIDDEN = cueOf(signOf('hidden'));
/** Words before an order. */
const LEAD = `(?:[.(),] |_ |${cue('must|please|new_task|condition|note|answer|text|you')} )`;
const BEFORE = not('people|used|you');

/** Names in patterns on cues that are no concepts. */
const SHAPES: Readonly<Record<string, string>> = {
  /** The beginning of a clause; of a sentence, a line or a part in brackets; of a sentence or of what follows a bracket. */
  begin: `(?:^|[.(:,] |${HIDDEN} )`,
  'begin sentence': `(?:^|[.(:] |${HIDDEN} )`,
  'begin part': `(?:^|[.():] |${HIDDEN} )`,
  lead: LEAD,
  hidden: HIDDEN,
  /** The rest of the sentence and the next one; and the next three. */
  soon: '[^.]*?(?:[.] [^.]*?)?',
  later: '[^.]*?(?:[.] [^.]*?){0,3}?',
  /** Words that conceal something from a person, and have no other use. */
  concealed: `<[^${signOf('leave_out')}<>]*${signOf('conceal')}[^${signOf('leave_out')}<>]*>`,
};

/**
 * Names in the patterns of rules on cues: `model|reader` is a word of one of these concepts, `3 but people|used` up to three
 * words, commas and brackets without them, `3 words but people` the same without commas, `1 word but people` one word, `5 any`
 * up to five words, commas and brackets, and `before 3` up to three words before a model that is addressed: not "our" or a person.
 */
export function cuesOf(name: string): string {
  const shape = SHAPES[name];
  if (shape !== undefined) return shape;
  const [, before] = /^before (\d)$/.exec(name) ?? [];
  if (before !== undefined) {
    return `(?:(?:^|[.():,] |${BEFORE} )){${Number(before) - 1}}(?:^|[.(:,] |${BEFORE} )`;
  }
  const [, most, words, concepts] = /^(\d+) (?:(words? )?but (.+)|any)$/.exec(name) ?? [];
  if (most === undefined) return cue(name);
  const word = concepts === undefined ? '(?:_|<[^<>]+>)' : not(concepts);
  if (words === 'word ') return word;
  return words === undefined ? `(?:(?:${word}|[,()]) ){0,${most}}?` : `(?:${word} ){0,${most}}?`;
}
