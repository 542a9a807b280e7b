/** Why a pattern cannot run. The message goes on where "The pattern …" begins, and is fit for a client. */
export class PatternError extends Error {
  override readonly name: string = 'PatternError';
}
