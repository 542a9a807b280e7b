/** More labels than any harmless text has. All further labels count as one. */
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

/** Labels of images so far, and of definitions that lead to another site. */
export interface Labels {
  readonly images: ReferenceLabels;
  readonly foreign: ReferenceLabels;
}

/** The labels of a text, read from left to right. */
export class LabelsOfText {
  private readonly history: (Labels & { readonly at: number })[] = [];
  private current: Labels;

  constructor(private readonly first: Labels) {
    this.current = first;
  }

  get images(): ReferenceLabels {
    return this.current.images;
  }

  get foreign(): ReferenceLabels {
    return this.current.foreign;
  }

  addImage(at: number, label: string): void {
    const { images, foreign } = this.current;
    const all = images.with(label);
    if (all !== images) this.add(at, all, foreign);
  }

  addForeign(at: number, label: string | null): void {
    const { images, foreign } = this.current;
    this.add(at, images, foreign.with(label));
  }

  /** The labels that precede a place. */
  before(end: number): Labels {
    return this.history.findLast(({ at }) => at < end) ?? this.first;
  }

  private add(at: number, images: ReferenceLabels, foreign: ReferenceLabels) {
    this.current = { images, foreign };
    this.history.push({ at, images, foreign });
  }
}

function keyOf(label: string | null) {
  return label !== null && PLAIN_LABEL.test(label) ? label.toLowerCase().replaceAll(/[ ._-]/g, '') : null;
}
