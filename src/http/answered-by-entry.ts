/** Thrown to end a request that one of the deployer's entries has answered itself: there is nothing left to say. */
export class AnsweredByEntry extends Error {
  override readonly name = 'AnsweredByEntry';
}
