import { DURATION_BOUNDS, type Durations } from '#engine/durations.js';

type Labels = Readonly<Record<string, string>>;

/** Writes the text format of Prometheus, version 0.0.4. */
export class PrometheusText {
  private readonly lines: string[] = [];

  /** Describes a metric; its samples follow. */
  metric(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): this {
    this.lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    return this;
  }

  sample(name: string, value: number, labels: Labels = {}): this {
    const named = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    this.lines.push(`${name}${named.length === 0 ? '' : `{${named.join(',')}}`} ${value}`);
    return this;
  }

  /** The buckets, the sum and the count of a histogram. */
  histogram(name: string, { upTo, count, sumSeconds }: Durations, labels: Labels = {}): this {
    for (const [index, bound] of DURATION_BOUNDS.entries())
      this.sample(`${name}_bucket`, upTo[index] ?? 0, { ...labels, le: String(bound) });
    return this.sample(`${name}_bucket`, count, { ...labels, le: '+Inf' })
      .sample(`${name}_sum`, sumSeconds, labels)
      .sample(`${name}_count`, count, labels);
  }

  toString(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
