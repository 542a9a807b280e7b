/** Values that differ from run to run. Equal values of a case get equal names, in the order of their occurrence. */
const VOLATILE: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['uuid', /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g],
  // Tokens, salts and commitments. CSV quotes those that begin like a formula.
  ['random', /(?:(?<=")')?(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{43}(?![\w-])/g],
];

/** Members that hold measured times, or that a timer changes. */
const MEASURED: ReadonlySet<string> = new Set([
  'duration_us',
  'duration_ms',
  'delivered',
  'waiting',
  'waiting_since',
]);

export function stableText(text: string): string {
  return VOLATILE.reduce((stable, [kind, pattern]) => {
    const names = new Map<string, string>();
    return stable.replaceAll(pattern, (found) => {
      const name = names.get(found) ?? `<${kind} ${names.size + 1}>`;
      names.set(found, name);
      return name;
    });
  }, text);
}

export function stableJson(value: unknown): unknown {
  return JSON.parse(stableText(JSON.stringify(value)), (key, item: unknown) => {
    const isScalar = typeof item === 'number' || typeof item === 'string' || item === null;
    if (MEASURED.has(key) && isScalar) return '<measured>';
    // The stores list the findings of a day in different orders.
    const isDay = key === 'values' && Array.isArray(item) && item.every((one) => Object(one).outputs > 0);
    return isDay ? item.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : item;
  });
}

/** Lines of CSV, of JSON, of metrics, or of a stream of events. */
export function stableLines(text: string): readonly unknown[] {
  const measured = text.slice(0, text.indexOf('\r\n')).split(',').indexOf('duration_us');
  return stableText(text)
    .trimEnd()
    .split('\n')
    .map((line, index) => {
      if (line.startsWith('{')) return withoutSequence(stableJson(JSON.parse(line)) as Line);
      if (line.startsWith('data: ')) return { data: stableJson(JSON.parse(line.slice(6))) };
      if (measured >= 0 && index > 0)
        return line.replace(cellsBefore(measured), '$1<measured>').replace(/,[^,]*,[^,]*(?=\r?$)/, ',<leaf>');
      return line.replace(/^(.*_seconds.*) .*$/, '$1 <measured>');
    });
}

const cellsBefore = (count: number): RegExp => new RegExp(`^((?:(?:"(?:[^"]|"")*"|[^,]*),){${count}})\\d+`);

type Line = Readonly<Record<string, unknown>>;

/** The place in the log, which a timer gives; without one over memory. */
const withoutSequence = (line: Line): Line =>
  'sequence' in line ? { ...line, sequence: '<leaf>', writer: '<leaf>' } : line;
