import type { AST } from '@eslint-community/regexpp';
import { lengthOf, longest, NO_LENGTH, plus, units, type MatchLength } from './match-length.js';
import { foldedUnit, isFoldable } from './unit-folding.js';

/** Literals, one of which is in every match. */
interface Requirement {
  /** Case-folded. */
  readonly texts: readonly string[];
  /** The literal ends at most this far after the start of the match. */
  readonly before: MatchLength;
}

/** All requirements of one branch. */
export type Clause = readonly Requirement[];

/** The literals of a part of a pattern: all texts it can match, if they are few, or the literals in each of them. */
interface Knowledge {
  readonly exact: readonly string[] | null;
  readonly required: Clause;
}

const MAX_TEXTS = 128;
const MAX_LITERAL_LENGTH = 12;
const MAX_CLAUSES = 32;

/** Shorter literals occur in almost every text. Characters beyond ASCII count twice. */
const MIN_LITERAL_LENGTH = 3;

/** For a branch that has only short literals. */
const MIN_SHORT_LENGTH = 2;

const ANYTHING: Knowledge = { exact: null, required: [] };
const EMPTY: Knowledge = { exact: [''], required: [] };

/**
 * Returns one clause per branch. A match satisfies at least one of them. `null` if a branch has no useful literal.
 */
export function requiredLiterals(pattern: AST.Pattern): readonly Clause[] | null {
  const clauses = branchesOf(pattern.alternatives).map(({ elements }) => useful(sequence(elements)));
  if (clauses.some((clause) => clause.length === 0)) return null;
  if (clauses.length <= MAX_CLAUSES) return clauses;
  const clause = merged(clauses.map(mostSelective));
  return clause.length > 0 ? [clause] : null;
}

/** A pattern that is a single group has the branches of the group. */
function branchesOf(alternatives: readonly AST.Alternative[]): readonly AST.Alternative[] {
  return alternatives.flatMap((alternative) => {
    const [only, ...more] = alternative.elements;
    const group = only?.type === 'Group' || only?.type === 'CapturingGroup' ? only : null;
    return group === null || more.length > 0 ? [alternative] : branchesOf(group.alternatives);
  });
}

/** The requirements that are rare enough to be useful. */
function useful(knowledge: Knowledge): Clause {
  const clause = clauseOf(knowledge);
  const rare = clause.filter(({ texts }) => selectivity(texts) >= MIN_LITERAL_LENGTH);
  return rare.length > 0 ? rare : clause.filter(({ texts }) => selectivity(texts) >= MIN_SHORT_LENGTH);
}

function clauseOf({ exact, required }: Knowledge) {
  return exact === null ? required : [requirement(exact, units(longestOf(exact)))];
}

function requirement(texts: readonly string[], before: MatchLength): Requirement {
  return { texts: withoutSuperstrings(texts), before };
}

function longestOf(texts: readonly string[]) {
  return Math.max(0, ...texts.map(({ length }) => length));
}

/** The length of the shortest text, in which characters other than letters, digits and spaces of ASCII count twice. */
function selectivity(texts: readonly string[]) {
  return Math.min(...texts.map((text) => text.length + (text.match(/[^ 0-9a-z]/g)?.length ?? 0)));
}

function mostSelective(clause: Clause) {
  return clause.reduce((best, one) => (isMoreSelective(one.texts, best.texts) ? one : best));
}

function isMoreSelective(texts: readonly string[], others: readonly string[]) {
  const difference = Math.min(selectivity(texts), 6) - Math.min(selectivity(others), 6);
  return difference > 0 || (difference === 0 && texts.length < others.length);
}

/** Removes texts that contain another text of the list. */
function withoutSuperstrings(texts: readonly string[]): readonly string[] {
  const distinct = [...new Set(texts)];
  return distinct.filter((text) => !distinct.some((other) => other !== text && text.includes(other)));
}

function merged(one: readonly Requirement[]): Clause {
  const texts = withoutSuperstrings(one.flatMap((each) => each.texts));
  return texts.length <= MAX_TEXTS * 4 ? [{ texts, before: longest(one.map(({ before }) => before)) }] : [];
}

/** Joins the texts of the elements while they are few and short. Otherwise the texts joined so far are required. */
function sequence(elements: readonly AST.Element[]): Knowledge {
  const required: Requirement[] = [];
  let joined: readonly string[] = [''];
  let whole = true;
  let passed = NO_LENGTH;
  const close = (before: MatchLength, next: readonly string[]) => {
    whole = false;
    if (!joined.includes('')) required.push(requirement(joined, before));
    joined = next;
  };
  for (const element of elements) {
    const known = knowledgeOf(element);
    const product = known.exact === null ? null : products(joined, known.exact);
    if (product !== null) joined = product;
    else if (known.exact !== null) close(passed, known.exact);
    else {
      // The first repetition follows the element before it, and the last one precedes the element after it.
      const edge = edgeOf(element);
      const withEdge = edge === null ? null : products(joined, edge);
      joined = withEdge ?? joined;
      close(withEdge === null || edge === null ? passed : plus(passed, units(longestOf(edge))), edge ?? ['']);
      for (const { texts, before } of known.required) required.push({ texts, before: plus(passed, before) });
    }
    passed = plus(passed, lengthOf(element));
  }
  if (whole) return { exact: joined, required: [] };
  close(passed, ['']);
  return { exact: null, required };
}

function products(left: readonly string[], right: readonly string[]): readonly string[] | null {
  if (left.length * right.length > MAX_TEXTS) return null;
  if (longestOf(left) + longestOf(right) > MAX_LITERAL_LENGTH) return null;
  const texts = new Set<string>();
  for (const start of left) for (const end of right) texts.add(start + end);
  return [...texts];
}

function edgeOf(element: AST.Element) {
  return element.type === 'Quantifier' && element.min > 0 ? knowledgeOf(element.element).exact : null;
}

function knowledgeOf(element: AST.Element): Knowledge {
  switch (element.type) {
    case 'Character':
      return literal([element.value]);
    case 'CharacterClass':
      return literal(membersOf(element));
    case 'Group':
    case 'CapturingGroup':
      return choice(element.alternatives.map(({ elements }) => sequence(elements)));
    case 'Quantifier':
      return repetition(element);
    case 'Assertion':
      return EMPTY;
    default:
      return ANYTHING;
  }
}

function literal(codePoints: readonly number[] | null) {
  if (codePoints === null || codePoints.length === 0) return ANYTHING;
  if (!codePoints.every((codePoint) => isFoldable(codePoint) && (codePoint <= 0xffff || isSymbol(codePoint))))
    return ANYTHING;
  const texts = codePoints.map((codePoint) => String.fromCodePoint(foldedUnit(codePoint)));
  return { exact: [...new Set(texts)], required: [] };
}

/** Symbols beyond the basic plane, such as emoji, have no case. Letters there can have one. */
function isSymbol(codePoint: number) {
  return /\p{So}/u.test(String.fromCodePoint(codePoint));
}

const MAX_MEMBERS = 12;

function membersOf({ negate, elements }: AST.CharacterClass): readonly number[] | null {
  if (negate) return null;
  const members: number[] = [];
  for (const element of elements) {
    const range = element.type === 'CharacterClassRange' ? element : null;
    const first = element.type === 'Character' ? element.value : range?.min.value;
    const last = range?.max.value ?? first;
    if (first === undefined || last === undefined || last - first >= MAX_MEMBERS) return null;
    for (let member = first; member <= last; member++) members.push(member);
  }
  return members.length <= MAX_MEMBERS ? members : null;
}

function choice(branches: readonly Knowledge[]) {
  const exact = branches.flatMap((branch) => branch.exact ?? []);
  if (branches.every((branch) => branch.exact !== null) && exact.length <= MAX_TEXTS) {
    return { exact: [...new Set(exact)], required: [] };
  }
  const clauses = branches.map(clauseOf);
  if (clauses.some((clause) => clause.length === 0 || clause.some(({ texts }) => texts.includes('')))) {
    return ANYTHING;
  }
  return { exact: null, required: merged(clauses.map(mostSelective)) };
}

function repetition({ element, min, max }: AST.Quantifier) {
  const known = knowledgeOf(element);
  if (max === 0) return EMPTY;
  if (known.exact !== null && max <= MAX_LITERAL_LENGTH) {
    const texts = powers(known.exact, min, max);
    if (texts !== null) return { exact: texts, required: [] };
  }
  return min === 0
    ? ANYTHING
    : { exact: null, required: clauseOf(known).filter(({ texts }) => !texts.includes('')) };
}

function powers(texts: readonly string[], min: number, max: number): readonly string[] | null {
  const all: string[] = [];
  let power: readonly string[] = [''];
  for (let times = 0; times <= max; times++) {
    if (times >= min) all.push(...power);
    if (all.length > MAX_TEXTS) return null;
    const next = times < max ? products(power, texts) : power;
    if (next === null) return null;
    power = next;
  }
  return [...new Set(all)];
}
