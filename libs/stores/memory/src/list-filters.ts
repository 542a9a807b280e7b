interface TimeRange {
  readonly from?: Date;
  readonly to?: Date;
}

/** Both ends are inclusive. */
export function isWithin({ from, to }: TimeRange, instant: Date): boolean {
  return (from === undefined || instant >= from) && (to === undefined || instant <= to);
}

/** An undefined filter selects every value. */
export function isEqual<Value>(sought: Value | undefined, stored: Value | null): boolean {
  return sought === undefined || sought === stored;
}

export function isOneOf<Value>(sought: readonly Value[] | undefined, stored: Value | null): boolean {
  return sought === undefined || (stored !== null && sought.includes(stored));
}

/** Finds `q` literally and ignores the case of ASCII letters only, as every backend does. */
export function literalSearch(q: string): (text: string) => boolean {
  const sought = foldAscii(q);
  return (text) => foldAscii(text).includes(sought);
}

/** `toLowerCase` on the whole text would turn the Kelvin sign and a few other letters into ASCII. */
function foldAscii(text: string) {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
