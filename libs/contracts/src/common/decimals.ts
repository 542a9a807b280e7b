/** Exact decimals as texts without exponent, such as `12.5`; never negative. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** Finite and not negative: such a value can be added to a budget. */
export function isSummable(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** A number as the exact decimal that is written for it: 0.1 is `0.1`, 1e21 is `1000000000000000000000`. */
export function decimalText(value: number): string {
  const [mantissa = '0', exponent = '0'] = String(Object.is(value, -0) ? 0 : value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length);
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

export function addDecimals(one: string, other: string): string {
  const [first, second, places] = aligned(one, other);
  return written({ digits: first + second, places });
}

export function isMore(one: string, other: string): boolean {
  const [first, second] = aligned(one, other);
  return first > second;
}

function decimal(text: string): Decimal {
  const [whole = '0', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length };
}

/** The digits of both with the same number of places. */
function aligned(one: string, other: string): readonly [bigint, bigint, places: number] {
  const [first, second] = [decimal(one), decimal(other)];
  const places = Math.max(first.places, second.places);
  const scaled = (each: Decimal) => each.digits * 10n ** BigInt(places - each.places);
  return [scaled(first), scaled(second), places];
}

/** Without zeros at the end: `12.5`, not `12.50`. */
function written({ digits, places }: Decimal) {
  const text = digits.toString().padStart(places + 1, '0');
  if (places === 0) return text;
  const fraction = text.slice(-places).replace(/0+$/, '');
  const whole = text.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
