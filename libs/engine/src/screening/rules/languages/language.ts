/**
 * How one language says the four ideas that every language is asked about: pieces of a pattern, in small letters.
 * Latin letters stand without their marks, since folding takes them away; other scripts stand as they are written.
 */
export interface Language {
  /** Ends the ids of its rules. */
  readonly id: string;
  readonly name: string;
  /** Whether a space parts its words. */
  readonly spaced: boolean;
  /** Words that turn an order round when they stand before it. */
  readonly negations: readonly string[];
  /** To stop heeding something, as an order. */
  readonly ignore: readonly string[];
  /** Small words that change nothing about what is asked. */
  readonly small: readonly string[];
  /** What came first. */
  readonly earlier: readonly string[];
  /** What an assistant was told. */
  readonly orders: readonly string[];
  /** All or each, before what an assistant was told. */
  readonly quantity: readonly string[];
  /** Everything that was said or learnt before. */
  readonly everything: readonly string[];
  /** To bring something to light, as an order or a question. */
  readonly reveal: readonly string[];
  /** Belonging to the assistant, or hidden. */
  readonly own: readonly string[];
  /** Whole names of what an assistant was told, that need no owner. */
  readonly systemPrompt: readonly string[];
  /** Speaks of a part to play, or of what answers. */
  readonly persona: readonly string[];
  /** Free of rules. */
  readonly unbound: readonly string[];
  /** Whole names of modes that an assistant does not have, and orders to do anything. */
  readonly jailbreak: readonly string[];
  /** A word that an assistant keeps to itself. */
  readonly secret: readonly string[];
}
