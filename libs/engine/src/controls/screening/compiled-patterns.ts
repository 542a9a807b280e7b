import { CLASSIFIER_ID } from '#contracts/screening/screening.js';
import { canonicalPattern } from '#contracts/settings/setting-kinds.js';
import { LinearRegex, type CompileOptions } from '../../patterns/linear-regex.js';
import { PatternError } from '../../patterns/linear-syntax.js';
import { PatternSet } from '../../patterns/pattern-set.js';
import { runToEnd, type Resumable } from '../../shared/resumable.js';

/**
 * Maximum total cost of the custom patterns, in instructions of the linear engine. Limits their memory and the time for
 * which a settings change blocks the process.
 */
const MAX_COST = 300_000;

/** The reason for each pattern that cannot run, by rule id. */
export function patternErrors(patterns: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return runToEnd(compilePatterns(patterns));
}

/** Of values that cannot change. */
const knownErrors = new WeakMap<Readonly<Record<string, string>>, Readonly<Record<string, string>>>();

/** The same with pauses. Compiles the patterns for the rulesets that follow. */
export function* compilePatterns(
  patterns: Readonly<Record<string, string>>,
): Resumable<Readonly<Record<string, string>>> {
  const known = knownErrors.get(patterns);
  if (known !== undefined) return known;
  const errors: Record<string, string> = {};
  let cost = 0;
  for (const [id, pattern] of Object.entries(patterns)) {
    if (id === CLASSIFIER_ID) {
      errors[id] = 'has the id of the built-in classifier; choose another id';
      continue;
    }
    const compiled =
      cost > MAX_COST ? TOO_LARGE_TOGETHER : compiledPatterns.get(canonicalPattern(pattern), AFTER_FOLDING);
    if (compiled instanceof LinearRegex) cost += compiled.facts.cost;
    const error = cost > MAX_COST ? TOO_LARGE_TOGETHER : compiled;
    if (error instanceof PatternError) errors[id] = error.message;
    yield;
  }
  if (Object.isFrozen(patterns)) knownErrors.set(patterns, errors);
  return errors;
}

/** By default, texts are folded before they are matched, which costs a pattern more than its own flags. */
const AFTER_FOLDING: CompileOptions = { ignoreCase: true };

const TOO_LARGE_TOGETHER = new PatternError('makes the custom patterns exceed their total size limit');

/** Room for the built-in patterns and the largest set of custom ones. */
const MAX_CACHED_BYTES = 64_000_000;

/** Those of prompts, of documents and of cues, before and after a change. */
const MAX_CACHED_SETS = 6;

const IGNORES_CASE = /\/[a-z]*i[a-z]*$/;

type Compiled = LinearRegex | PatternError;

/** A pattern compiled in its own case, or for folded text. */
interface Forms {
  asWritten?: Compiled;
  ignoringCase?: Compiled;
}

/** Caches compiled patterns, so that a change of one rule compiles one pattern, and most changes build no set. */
class CompiledPatterns {
  /** By pattern, because a key made of it would be hashed at every access. Least recently used first. */
  private readonly cached = new Map<string, Forms>();
  private bytes = 0;
  private lastSets: readonly { readonly members: readonly LinearRegex[]; readonly set: PatternSet }[] = [];

  /** Returns an error instead of throwing it, so that the other rules still run. */
  get(pattern: string, options: CompileOptions = {}): Compiled {
    const ignoreCase = options.ignoreCase === true || IGNORES_CASE.test(pattern);
    const form = ignoreCase ? 'ignoringCase' : 'asWritten';
    const forms = this.cached.get(pattern) ?? {};
    this.cached.delete(pattern);
    this.cached.set(pattern, forms);
    const found = forms[form];
    if (found !== undefined) return found;
    const compiled = attempt(pattern, options);
    forms[form] = compiled;
    this.bytes += bytesOf(pattern, compiled);
    for (const [oldest, evicted] of this.cached) {
      if (this.bytes <= MAX_CACHED_BYTES) break;
      this.cached.delete(oldest);
      for (const each of Object.values(evicted)) this.bytes -= bytesOf(oldest, each);
    }
    return compiled;
  }

  *setOf(members: readonly LinearRegex[]): Resumable<PatternSet> {
    const built = this.lastSets.find(
      (last) =>
        members.length === last.members.length &&
        members.every((member, index) => member === last.members[index]),
    );
    if (built !== undefined) return built.set;
    const set = yield* PatternSet.build(members);
    this.lastSets = [{ members, set }, ...this.lastSets].slice(0, MAX_CACHED_SETS);
    return set;
  }
}

/** About what a compiled pattern takes for each instruction, and for each character of its text. */
const BYTES_PER_INSTRUCTION = 64;
const BYTES_PER_CHARACTER = 12;

function bytesOf(pattern: string, compiled: Compiled) {
  const instructions = compiled instanceof LinearRegex ? compiled.facts.cost : 0;
  return pattern.length * BYTES_PER_CHARACTER + instructions * BYTES_PER_INSTRUCTION;
}

function attempt(pattern: string, options: CompileOptions) {
  try {
    return LinearRegex.compile(pattern, options);
  } catch (error) {
    return error instanceof PatternError ? error : new PatternError('cannot be compiled');
  }
}

/** Shared by all rulesets of the process. */
export const compiledPatterns = new CompiledPatterns();
