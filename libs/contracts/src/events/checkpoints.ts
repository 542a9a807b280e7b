/** What a checkpoint states. */
export interface LogHead {
  /** How many leaves the log has. */
  readonly size: number;
  /** Root of the tree, base64. */
  readonly root: string;
  /** Time of the store's clock. */
  readonly time: Date;
}

/** A signed head of the transparency log. */
export interface Checkpoint extends LogHead {
  /** The signed note. */
  readonly note: string;
}
