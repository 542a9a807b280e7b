/** What a checkpoint states. */
export interface LogHead {
  /** How many leaves the log has. */
  readonly size: number;
  /** Root of the tree, base64. */
  readonly root: string;
  /** By the clock of the store. */
  readonly time: Date;
}

/** A signed head of the transparency log. */
export interface Checkpoint extends LogHead {
  /** The signed note. */
  readonly note: string;
}
