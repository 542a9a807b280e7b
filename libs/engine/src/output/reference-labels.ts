/** More labels than any honest text has; beyond them every label counts as the same. */
const MAX_LABELS = 200;

const PLAIN_LABEL = /^[A-Za-z0-9 ._-]{1,100}$/;

/** Labels of references. Two labels that are equal in any renderer are equal here. */
export class ReferenceLabels {
  private constructor(
    private readonly keys: ReadonlySet<string>,
    private readonly hasUnknown: boolean,
  ) {}

  static readonly none = new ReferenceLabels(new Set(), false);

  /** @param label `null` where it could not be read */
  with(label: string | null): ReferenceLabels {
    const key = keyOf(label);
    if (key === null || this.keys.size >= MAX_LABELS)
      return this.hasUnknown ? this : new ReferenceLabels(this.keys, true);
    return this.keys.has(key) ? this : new ReferenceLabels(new Set([...this.keys, key]), this.hasUnknown);
  }

  /** Whether a label may be one of these. */
  has(label: string | null): boolean {
    const key = keyOf(label);
    if (this.hasUnknown) return true;
    return key === null ? this.keys.size > 0 : this.keys.has(key);
  }
}

function keyOf(label: string | null): string | null {
  return label !== null && PLAIN_LABEL.test(label) ? label.toLowerCase().replaceAll(/[ ._-]/g, '') : null;
}
