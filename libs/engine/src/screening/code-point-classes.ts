/** Takes no place on a page, so that a reader does not see what a model reads. White space is none of them. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]$/u;

/** U+FEFF is white space to ECMAScript, and nothing at all to a reader. */
const WHITE_SPACE = /^(?!\uFEFF)[\s\u0085]$/u;

/** Joins to what stands before it when text is composed: marks, and the vowels and finals of Hangul. */
const JOINS_BACKWARD = /^[\p{M}\u1160-\u11FF]/u;

const MARK = /^\p{M}$/u;

export const isInvisible = remembered(
  (character) => INVISIBLE.test(character) && !WHITE_SPACE.test(character),
);

export const isWhiteSpace = remembered((character) => WHITE_SPACE.test(character));

export const isMark = remembered((character) => MARK.test(character));

export const joinsBackward = remembered((character) => JOINS_BACKWARD.test(character.normalize('NFKC')));

const MOST_REMEMBERED = 8192;

/** Asks once per character. The memory is bounded, and full of what texts really use. */
function remembered(ask: (character: string) => boolean): (character: string) => boolean {
  const answers = new Map<string, boolean>();
  return (character) => {
    const known = answers.get(character);
    if (known !== undefined) return known;
    const answer = ask(character);
    if (answers.size < MOST_REMEMBERED) answers.set(character, answer);
    return answer;
  };
}
