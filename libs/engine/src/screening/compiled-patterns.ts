import { LinearRegex, type CompileOptions } from '../patterns/linear-regex.js';
import { PatternError } from '../patterns/pattern-error.js';

/** A thousand of an operator's own patterns and the built-in ones, twice over: before and after a change. */
const MOST_REMEMBERED = 4096;

const IGNORES_CASE = /\/[a-z]*i[a-z]*$/;

/** Compiles a pattern once, so that a change to one rule costs one rule. */
export class CompiledPatterns {
  private readonly known = new Map<string, LinearRegex | PatternError>();

  /** Answers an error instead of throwing it: one broken rule must not take the others down. */
  get(pattern: string, options: CompileOptions = {}): LinearRegex | PatternError {
    const ignoreCase = options.ignoreCase === true || IGNORES_CASE.test(pattern);
    const key = `${ignoreCase ? 'i' : '-'}${pattern}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const compiled = attempt(pattern, options);
    if (this.known.size >= MOST_REMEMBERED) this.known.clear();
    this.known.set(key, compiled);
    return compiled;
  }
}

function attempt(pattern: string, options: CompileOptions): LinearRegex | PatternError {
  try {
    return LinearRegex.compile(pattern, options);
  } catch (error) {
    return error instanceof PatternError ? error : new PatternError('cannot be compiled');
  }
}
