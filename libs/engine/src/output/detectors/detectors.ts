import type { Detector } from '../../../../contracts/src/output.js';

/** Detectors in the order in which they are asked, and what they put in. */
export class Detectors {
  /** Matches any placeholder. */
  readonly placeholders: RegExp;

  constructor(readonly list: readonly Detector[]) {
    const written = new Set(list.map(({ placeholder }) => placeholder));
    this.placeholders = new RegExp([...written].map(literal).join('|') || '(?!)', 'g');
  }
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
