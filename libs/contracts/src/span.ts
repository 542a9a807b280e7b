/** `[start, end)`. The unit is said where the span is declared: UTF-16 in the engine, UTF-8 bytes in records and on the wire. */
export type Span = readonly [start: number, end: number];
