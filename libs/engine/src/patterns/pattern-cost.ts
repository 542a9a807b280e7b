import type { AST } from '@eslint-community/regexpp';

/** Instructions that one pattern may come to: they bound the memory of a pattern, and its cost for each character. */
const MOST_INSTRUCTIONS = 20_000;

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
export function compileCost(pattern: AST.Pattern, ignoreCase: boolean): number {
  const { instructions, width } = branches(pattern.alternatives);
  const folded = ignoreCase ? width : 0;
  if (instructions > MOST_INSTRUCTIONS || folded > WIDEST) return Infinity;
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
