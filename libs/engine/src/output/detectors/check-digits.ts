/** The sum of the digits, each times the weight of its place. */
export function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * (digits.charCodeAt(place) - 48), 0);
}

/** ISO 7064, modulo 11 over 10: the last digit follows from those before it. */
export function isRightModulo11Ten(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}
