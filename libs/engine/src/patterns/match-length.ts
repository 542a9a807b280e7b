import type { AST } from '@eslint-community/regexpp';

/** The most UTF-16 units that a match can take. */
export function longestMatch({
  alternatives,
}: {
  readonly alternatives: readonly AST.Alternative[];
}): number {
  return Math.max(
    0,
    ...alternatives.map(({ elements }) =>
      elements.reduce((sum, element) => sum + longestElement(element), 0),
    ),
  );
}

export function longestElement(element: AST.Element): number {
  switch (element.type) {
    case 'Character':
      return element.value > 0xffff ? 2 : 1;
    case 'CharacterSet':
      return !('negate' in element) || element.negate || element.kind === 'property' ? 2 : 1;
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return 2;
    case 'Group':
    case 'CapturingGroup':
      return longestMatch(element);
    case 'Quantifier':
      return element.max === 0 ? 0 : element.max * longestElement(element.element);
    case 'Assertion':
      return 0;
    default:
      element satisfies AST.Backreference;
      return Infinity;
  }
}
