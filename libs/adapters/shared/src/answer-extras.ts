import type { OutputContext } from '#contracts/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import { mapOtherTexts } from './other-texts.js';

/**
 * What an answer of the model has beside its text: metadata, and parts that cannot be sanitized, such as raw events of a
 * provider. Each kind of these is recorded once, as `[not sanitized: raw]`.
 */
export class AnswerExtras {
  private readonly kinds = new Map<string, Promise<boolean>>();

  constructor(
    private readonly guardrails: Guardrails,
    private readonly context: OutputContext,
  ) {}

  /** Whether a part of this kind must be left out: in `enforce`. */
  isDropped(kind: string): Promise<boolean> {
    const known = this.kinds.get(kind);
    if (known !== undefined) return known;
    const dropped = this.guardrails
      .sanitize(`[not sanitized: ${kind}]`, this.context)
      .then(({ mode }) => mode.enforces());
    this.kinds.set(kind, dropped);
    return dropped;
  }

  /** Sanitizes the texts of metadata, all of them in one decision. */
  async sanitized<Value>(value: Value): Promise<Value> {
    const texts: string[] = [];
    const kept = await mapOtherTexts(
      value,
      (text) => {
        texts.push(text);
        return text;
      },
      this,
    );
    if (texts.length === 0) return kept;
    const { value: clean } = await this.guardrails.sanitizeStructured(texts, null, this.context);
    const shown = (clean ?? texts.map(() => '')) as string[];
    return mapOtherTexts(kept, () => shown.shift() ?? '', this);
  }
}
