/** The kinds of detectors from which the others are made. */
import { Detector } from '#contracts/output/output.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import { matchAt } from '../../../text/next-match.js';
import type { Trait } from './text-traits.data.js';

const CONTEXT_BEFORE = 48;

/** A detector of this package. */
export abstract class BuiltInDetector extends Detector {
  /** What every finding contains. The redaction pass tests it once for all detectors. */
  readonly requires: Trait = 'none';

  /** May leave out what begins at `until` or after it. */
  abstract override find(text: string, until?: number): readonly Utf16Span[];
}

/** A detector whose findings can be longer than the part of a text that the redaction pass holds. */
export abstract class UnboundedDetector extends BuiltInDetector {
  /** Whether a finding can contain a blank line. */
  abstract readonly crossesBlankLines: boolean;

  /** For a finding that reached the end of the text: how many units at the start of the next part belong to it. */
  abstract continuation(next: string): number;
}

interface PatternOptions {
  readonly requires?: Trait;
  /** Words before a match, with at most 24 other characters between them. A text without them is not searched. */
  readonly label?: string;
  /** Whether a match counts only after the label. Default: each. */
  readonly needsLabel?: (found: string) => boolean;
  /** An additional check of the part to replace and the text before it. */
  readonly accepts?: (found: string, before: string) => boolean;
}

/**
 * Finds by a regular expression and an optional check. Every repetition in the expression has an upper bound and no two
 * adjacent repetitions match the same characters, so the search is linear. If the expression has a group `value`, it
 * must be at the end of the match, and only this group is replaced.
 */
export class PatternDetector extends BuiltInDetector {
  override readonly requires: Trait;
  private readonly pattern: RegExp;
  private readonly mentions: RegExp | null;
  private readonly afterLabel: RegExp;

  constructor(
    override readonly name: string,
    override readonly kind: Detector['kind'],
    pattern: RegExp,
    private readonly options: PatternOptions = {},
  ) {
    super();
    const { label, needsLabel, requires = 'none' } = options;
    this.pattern = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
    this.requires = requires;
    this.mentions = label === undefined || needsLabel !== undefined ? null : new RegExp(label, 'iu');
    this.afterLabel = new RegExp(String.raw`(?<!\p{L})(?:${label ?? ''})(?!\p{L})[^\p{N}]{0,24}$`, 'iu');
  }

  override find(text: string, until = text.length) {
    const spans: Utf16Span[] = [];
    if (this.mentions?.test(text) === false) return spans;
    this.pattern.lastIndex = 0;
    for (let match = this.pattern.exec(text); match !== null; match = this.pattern.exec(text)) {
      if (match.index >= until) break;
      const end = match.index + match[0].length;
      const start = end - (match.groups?.['value'] ?? match[0]).length;
      const before = text.slice(Math.max(0, start - CONTEXT_BEFORE), start);
      if (this.isAccepted(text.slice(start, end), before)) spans.push([start, end]);
      // A finding can begin inside a rejected match. A surrogate pair is skipped whole.
      else this.pattern.lastIndex = match.index + ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1);
    }
    return spans;
  }

  private isAccepted(found: string, before: string) {
    const { label, needsLabel, accepts } = this.options;
    const isComplete = label === undefined || needsLabel?.(found) === false || this.afterLabel.test(before);
    return isComplete && accepts?.(found, before) !== false;
  }
}

/** Finds tokens of any length. A token that was cut continues with the characters of `rest`. */
export class TokenDetector extends UnboundedDetector {
  override readonly crossesBlankLines = false;
  private readonly token: RegExp;
  private readonly rest: RegExp;

  constructor(
    override readonly name: string,
    override readonly kind: Detector['kind'],
    token: RegExp,
    rest: RegExp,
    override readonly requires: Trait,
    private readonly accepts: (token: string) => boolean = () => true,
  ) {
    super();
    this.token = new RegExp(token.source, 'g');
    this.rest = new RegExp(rest.source, 'y');
  }

  override find(text: string): readonly Utf16Span[] {
    const tokens = Array.from(text.matchAll(this.token), ({ index, 0: token }) => ({ index, token }));
    return tokens
      .filter(({ token }) => this.accepts(token))
      .map(({ index, token }) => [index, index + token.length]);
  }

  override continuation(next: string) {
    return matchAt(this.rest, next, 0).length;
  }
}

const NUMBERED =
  /(?<!\p{L})(?:orders?|invoices?|bill|tracking|track|shipment|parcel|package|waybill|awb|consignment|tickets?|cases?|claim|refs?|references?|transactions?|txn|trace|serial|batch|lot|sku|part|item|article|product|model|imei|isbn|issn|ean|upc|gtin|sscc|barcode|timestamp|unix|epoch|build|revision|booking|reservation|customer|account|contract|policy|meter|device|message|session|request|job|run|record|row|offset|sequence|hash|uid|id|po|rma|bestellung|bestellnummer|auftrag|auftragsnummer|rechnung|rechnungsnummer|sendung|sendungsnummer|lieferschein|vorgang|commande|facture|colis|suivi|pedido|factura|env[ií]o|ordine|fattura|spedizione|zam[oó]wienie|faktura)(?!\p{L})[^\p{L}\p{N}\n]{0,6}(?:(?:no|nr|num|number|nummer|num[eé]ro|n[uú]mero|id|code|key|was|is|of)(?!\p{L})[^\p{L}\p{N}\n]{0,6}){0,2}(?:[A-Z]{1,4}[-:#/]?)?$/iu;

/** Whether the text before a number is a label such as `order no.`, `invoice #` or `tracking number:`. */
export function isNumbered(before: string): boolean {
  return NUMBERED.test(before);
}
