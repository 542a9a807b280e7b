import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';
import { canonicalPattern } from '../../../contracts/src/settings/rule-kinds.js';
import type { Span } from '../../../contracts/src/span.js';
import { finished, type Resumable } from '../resumable.js';
import { Automaton } from './automaton.js';
import { MatchStarts } from './match-starts.js';
import { PatternError, toLinearSyntax } from './linear-syntax.js';
import { requiredLiterals, type Clause } from './required-literals.js';

/** Matches searched for in one text: beyond it a find-all would grow with the square of the text. */
export const MAX_SPANS = 16;

const DELIMITED = /^\/(?<source>.*)\/(?<flags>[a-z]*)$/su;

const parser = new RegExpParser({ ecmaVersion: 2025 });

export interface CompileOptions {
  /** Ignores case whatever the flags say: for text whose case was folded away. */
  readonly ignoreCase?: boolean;
  /** Admits a pattern that matches the empty text: for judging whole values with `test`, never for finding spans. */
  readonly admitEmpty?: boolean;
}

/**
 * A pattern in ECMAScript's syntax that runs in time linear in the text, whatever the pattern and the text are.
 * It never matches the empty text: a pattern that could is refused, unless asked for with `admitEmpty`.
 */
export class LinearRegex {
  private readonly automaton: Automaton;

  private constructor(
    /** `/source/flags`, as given; a bare pattern got its delimiters. */
    readonly pattern: string,
    /** What a text must hold to be worth a search; `null` where that cannot be told. */
    readonly required: readonly Clause[] | null,
    /** What it took to compile it, and takes to keep it: about its instructions. */
    readonly cost: number,
    private readonly program: RE2JS,
  ) {
    this.automaton = new Automaton(program);
  }

  /**
   * Takes `/source/flags` or a bare source, which ignores case. Of the flags `i`, `m` and `s` mean what they
   * always mean; `u`, `g` and `y` change nothing, because code points are read and all matches are searched anyway.
   *
   * A group named `before` holds what must stand before a match and is no part of its span: `(?<before>^|\s)x`.
   *
   * @throws PatternError where the pattern does not parse, or where linear time would be lost.
   */
  static compile(pattern: string, options: CompileOptions = {}): LinearRegex {
    const canonical = canonicalPattern(pattern);
    const { source = '', flags = '' } = DELIMITED.exec(canonical)?.groups ?? {};
    checkFlags(flags);
    const tree = parse(source, flags.includes('u'));
    const { text, width } = toLinearSyntax(tree, {
      multiline: flags.includes('m'),
      dotAll: flags.includes('s'),
    });
    if (width === 0 && options.admitEmpty !== true) throw new PatternError('matches the empty text');
    const ignoreCase = flags.includes('i') || options.ignoreCase === true;
    const cost = compileCost(tree, ignoreCase);
    if (cost === Infinity) throw new PatternError('is too large for the linear engine');
    const program = assemble(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return new LinearRegex(canonical, requiredLiterals(tree), cost, program);
  }

  test(text: string): boolean {
    return this.program.test(text);
  }

  /** The first matches, in UTF-16 units, ascending and without overlap; at most 16. */
  spans(text: string, max: number = MAX_SPANS): readonly Span[] {
    return finished(this.search(text, MatchStarts.anywhere, max));
  }

  /** The same spans, where no match begins elsewhere. */
  search(text: string, starts: MatchStarts, max: number = MAX_SPANS): Resumable<readonly Span[]> {
    return this.automaton.spans(text, starts, Math.min(max, MAX_SPANS));
  }
}

function checkFlags(flags: string): void {
  const unknown = /[^imsugy]/.exec(flags)?.[0];
  if (unknown !== undefined)
    throw new PatternError(`has the flag ${unknown}; only i, m, s, u, g and y are known`);
  if (new Set(flags).size < flags.length) throw new PatternError('repeats a flag');
}

/** Read as Unicode. Without `u` a needless escape such as `\-` is forgiven, as everywhere in ECMAScript. */
function parse(source: string, strict: boolean): AST.Pattern {
  try {
    return parser.parsePattern(source, 0, source.length, { unicode: true });
  } catch (error) {
    if (strict || /[\uD800-\uDFFF]/.test(source)) throw misparsed(error);
  }
  try {
    return parser.parsePattern(source, 0, source.length, { unicode: false });
  } catch (error) {
    throw misparsed(error);
  }
}

function misparsed(error: unknown): PatternError {
  const words = error instanceof Error ? error.message : String(error);
  return new PatternError(`does not parse: ${words.slice(words.lastIndexOf(': ') + 2).toLowerCase()}`);
}

function assemble(text: string, flags: number): RE2JS {
  let program: RE2JS;
  try {
    program = RE2JS.compile(text, flags);
  } catch {
    throw new PatternError('is beyond what the linear engine can compile');
  }
  return program;
}

/** Instructions that one pattern may come to: they bound the memory of a pattern, and its cost for each character. */
const MAX_INSTRUCTIONS = 20_000;

/** Characters that the classes of one pattern may span where case is ignored: each of them is folded. */
const WIDEST = 300_000;

/** Beyond it no character has a case. */
const LAST_CASED = 0x1e943;

/** Time is counted in instructions: so many characters fold while one is made. */
const FOLDED_PER_INSTRUCTION = 40;

/** A class by property is a table of some hundred ranges. */
const PROPERTY_WIDTH = 4000;

interface Cost {
  readonly instructions: number;
  readonly width: number;
}

/** About what it takes to compile the pattern, told before it is tried; infinite where it is too large to be. */
function compileCost(pattern: AST.Pattern, ignoreCase: boolean): number {
  const { instructions, width } = branches(pattern.alternatives);
  const folded = ignoreCase ? width : 0;
  if (instructions > MAX_INSTRUCTIONS || folded > WIDEST) return Infinity;
  return instructions + folded / FOLDED_PER_INSTRUCTION;
}

function sum(costs: readonly Cost[]): Cost {
  return costs.reduce(
    (total, { instructions, width }) => ({
      instructions: total.instructions + instructions,
      width: total.width + width,
    }),
    { instructions: 0, width: 0 },
  );
}

function branches(alternatives: readonly AST.Alternative[]): Cost {
  const inside = sum(alternatives.map(({ elements }) => sum(elements.map(costOf))));
  return { ...inside, instructions: inside.instructions + alternatives.length };
}

function costOf(element: AST.Element): Cost {
  switch (element.type) {
    case 'CharacterSet':
      return { instructions: 1, width: element.kind === 'property' ? PROPERTY_WIDTH : 0 };
    case 'CharacterClass':
      return {
        instructions: 1,
        width: element.elements.reduce((total, member) => total + widthOf(member), 0),
      };
    case 'Group':
    case 'CapturingGroup':
      return branches(element.alternatives);
    case 'Quantifier': {
      const inside = costOf(element.element);
      const times = element.max === Infinity ? element.min + 1 : Math.max(1, element.max);
      return { ...inside, instructions: (inside.instructions + 1) * times };
    }
    default:
      return { instructions: 1, width: 0 };
  }
}

function widthOf(member: AST.CharacterClassElement): number {
  if (member.type === 'CharacterSet') return member.kind === 'property' ? PROPERTY_WIDTH : 0;
  if (member.type !== 'CharacterClassRange') return 1;
  return Math.max(0, Math.min(member.max.value, LAST_CASED) - member.min.value + 1);
}
