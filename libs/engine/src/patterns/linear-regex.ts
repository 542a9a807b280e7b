import { messageOf } from '#contracts/common/errors.js';
import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';
import { canonicalPattern } from '#contracts/settings/setting-kinds.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import { runToEnd, type Resumable } from '../shared/resumable.js';
import { Automaton, type Skips } from './automaton.js';
import { lengthOfOne, type MatchLength } from './match-length.js';
import { MatchStarts } from './match-starts.js';
import { PatternError, toLinearSyntax } from './linear-syntax.js';
import { requiredLiterals, type Clause } from './required-literals.js';

/** Maximum number of matches per text. Finding all of them would be quadratic in the text. */
export const MAX_SPANS = 16;

const DELIMITED = /^\/(?<source>.*)\/(?<flags>[a-z]*)$/su;

const parser = new RegExpParser({ ecmaVersion: 2025 });

export interface CompileOptions {
  /** Ignores case regardless of the flags, for text after case folding. */
  readonly ignoreCase?: boolean;
  /** Accepts a pattern that matches the empty text. Use it only with `test`, not with `spans`. */
  readonly admitEmpty?: boolean;
  /** If given, the pattern is parsed for the first text that has its literals. Only for patterns that are known to compile. */
  readonly prepared?: PreparedPattern | undefined;
}

/** What a set of patterns needs of a pattern before a text has its literals. */
export interface PreparedPattern {
  /** Cost of compiling and keeping the pattern, roughly in instructions. */
  readonly cost: number;
  /** Literals without which a text cannot match; `null` if unknown. */
  readonly required: readonly Clause[] | null;
  /** The maximum length of a match. */
  readonly length: MatchLength;
}

/** A pattern in the syntax of re2js. */
interface Translation extends PreparedPattern {
  readonly text: string;
}

/**
 * A pattern in ECMAScript syntax that runs in linear time for every pattern and text. A pattern that matches the empty
 * text is rejected unless `admitEmpty` is set.
 */
export class LinearRegex {
  private translation: Translation | undefined;
  private built: { readonly program: RE2JS; readonly automaton: Automaton } | undefined;

  private constructor(
    /** `/source/flags`, also for a pattern that was given without delimiters. */
    readonly pattern: string,
    private readonly options: CompileOptions,
  ) {}

  /**
   * Accepts `/source/flags` or a bare source, which ignores case. The flags `i`, `m` and `s` have their usual meaning; `u`,
   * `g` and `y` have no effect.
   *
   * A group named `before` matches the context before a match and is not part of its span: `(?<before>^|\s)x`.
   *
   * @throws PatternError if the pattern does not parse or cannot run in linear time.
   */
  static compile(pattern: string, options: CompileOptions = {}): LinearRegex {
    const regex = new LinearRegex(canonicalPattern(pattern), options);
    if (options.prepared === undefined) regex.build();
    return regex;
  }

  get facts(): PreparedPattern {
    return this.options.prepared ?? this.translate();
  }

  test(text: string): boolean {
    return this.build().program.test(text);
  }

  /** The first matches, in UTF-16 units, ascending and without overlap; at most 16. */
  spans(text: string, max: number = MAX_SPANS): readonly Utf16Span[] {
    return runToEnd(this.search(text, MatchStarts.anywhere, max));
  }

  /** Resumable `spans` that returns only matches at the given starts that are not skipped. */
  *search(
    text: string,
    starts: MatchStarts,
    max: number = MAX_SPANS,
    skips?: Skips,
  ): Resumable<readonly Utf16Span[]> {
    // Compiling takes milliseconds.
    if (this.built === undefined) yield;
    return yield* this.build().automaton.spans(text, starts, Math.min(max, MAX_SPANS), skips);
  }

  private translate() {
    this.translation ??= translationOf(this.pattern, this.options);
    return this.translation;
  }

  private build(): { readonly program: RE2JS; readonly automaton: Automaton } {
    if (this.built === undefined) {
      const { text } = this.translate();
      const flags = ignoresCase(this.pattern, this.options) ? RE2JS.CASE_INSENSITIVE : 0;
      const program = assemble(text, flags);
      let longest: RE2JS | undefined;
      const automaton = new Automaton(
        program,
        () => (longest ??= assemble(text, flags | RE2JS.LONGEST_MATCH)),
      );
      this.built = { program, automaton };
    }
    return this.built;
  }
}

function partsOf(canonical: string): { readonly source: string; readonly flags: string } {
  const { source = '', flags = '' } = DELIMITED.exec(canonical)?.groups ?? {};
  return { source, flags };
}

function ignoresCase(canonical: string, { ignoreCase }: CompileOptions) {
  return ignoreCase === true || partsOf(canonical).flags.includes('i');
}

function translationOf(canonical: string, options: CompileOptions): Translation {
  const { source, flags } = partsOf(canonical);
  checkFlags(flags);
  const tree = parse(source, flags.includes('u'));
  const { text, width } = toLinearSyntax(tree, {
    multiline: flags.includes('m'),
    dotAll: flags.includes('s'),
  });
  if (options.prepared !== undefined) return { ...options.prepared, text };
  if (width === 0 && options.admitEmpty !== true) throw new PatternError('matches the empty text');
  const cost = compileCost(tree, ignoresCase(canonical, options));
  if (cost === Infinity) throw new PatternError('is too large for the linear engine');
  return { text, cost, required: requiredLiterals(tree), length: lengthOfOne(tree.alternatives) };
}

function checkFlags(flags: string) {
  const unknown = /[^imsugy]/.exec(flags)?.[0];
  if (unknown !== undefined)
    throw new PatternError(`has the flag ${unknown}; only i, m, s, u, g and y are known`);
  if (new Set(flags).size < flags.length) throw new PatternError('repeats a flag');
}

/** Parses as Unicode. Without `u`, needless escapes such as `\-` are accepted, as in ECMAScript. */
function parse(source: string, strict: boolean) {
  try {
    return parser.parsePattern(source, 0, source.length, { unicode: true });
  } catch (error) {
    if (strict || /[\uD800-\uDFFF]/.test(source)) throw parseError(error);
  }
  try {
    return parser.parsePattern(source, 0, source.length, { unicode: false });
  } catch (error) {
    throw parseError(error);
  }
}

function parseError(error: unknown) {
  const words = messageOf(error, String(error));
  return new PatternError(`does not parse: ${words.slice(words.lastIndexOf(': ') + 2).toLowerCase()}`);
}

function assemble(text: string, flags: number) {
  try {
    return RE2JS.compile(text, flags);
  } catch {
    throw new PatternError('is beyond what the linear engine can compile');
  }
}

/** Maximum number of instructions of a pattern. Limits its memory and its cost per character. */
const MAX_INSTRUCTIONS = 20_000;

/** Maximum number of characters in the classes of a case-insensitive pattern, each of which is folded. */
const MAX_CLASS_WIDTH = 300_000;

/** The last code point with a case. */
const LAST_CASED = 0x1e943;

/** Characters that are folded in the time of compiling one instruction. */
const FOLDED_PER_INSTRUCTION = 40;

/** The assumed width of a property class, a table of some hundred ranges. */
const PROPERTY_WIDTH = 4000;

interface Cost {
  readonly instructions: number;
  readonly width: number;
}

/** Estimates the cost before compiling. Returns `Infinity` if the pattern is too large. */
function compileCost(pattern: AST.Pattern, ignoreCase: boolean) {
  const { instructions, width } = branches(pattern.alternatives);
  const folded = ignoreCase ? width : 0;
  if (instructions > MAX_INSTRUCTIONS || folded > MAX_CLASS_WIDTH) return Infinity;
  return instructions + folded / FOLDED_PER_INSTRUCTION;
}

function sum(costs: readonly Cost[]) {
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

function widthOf(member: AST.CharacterClassElement) {
  if (member.type === 'CharacterSet') return member.kind === 'property' ? PROPERTY_WIDTH : 0;
  if (member.type !== 'CharacterClassRange') return 1;
  return Math.max(0, Math.min(member.max.value, LAST_CASED) - member.min.value + 1);
}
