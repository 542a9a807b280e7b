/** What a run has read, from harmless to dangerous. Labels only rise. */
export const RUN_LABELS = ['clean', 'untrusted', 'suspect'] as const;

/**
 * `untrusted`: a document or the result of a tool was read. `suspect`: a rule matched in such a text that blocks where its
 * control enforces.
 */
export type RunLabel = (typeof RUN_LABELS)[number];

/** Names a run. The host chooses the id; the same id of another principal or application is another run. */
export interface RunName {
  readonly application: string | null;
  readonly principalId: string | null;
  readonly runId: string;
}

/** What a run read. */
export interface RunReading {
  /** The run that handed over: its label and its words hold here, too. Read at the first text of a run only. */
  readonly parentRunId: string | null;
  readonly label: RunLabel;
  /** The entry of the text that raises the label. */
  readonly entryId: number | null;
  /** The salt of a new run without a parent: random, 32 hexadecimal digits. */
  readonly salt: string;
  /** How long the run stays after this text. */
  readonly hours: number;
}

/** A run with what it inherits. */
export interface Run {
  readonly label: RunLabel;
  /** The entries that raised the label, where they are known. */
  readonly untrustedBy: number | null;
  readonly suspectBy: number | null;
  /** Part of the key of the hashes. It exists in this row only, so that without the row no hash says anything. */
  readonly salt: string;
  /** The hashes of what vouches, one after another, 16 hexadecimal digits each. */
  readonly hashes: string;
  /** Something was not stored because it would exceed `MAX_HASHES`. It does not vouch. */
  readonly isFull: boolean;
}

/** Hashes that one run stores: those of about 4000 words. */
export const MAX_HASHES = 32_768;

/** A run inherits from at most as many others, each the parent of the one before. */
export const MAX_PARENTS = 8;

/** Runs that have read something, until they end. */
export abstract class RunStore {
  /** Records that the run read a text, and resolves to its salt. A new run gets the salt of its parent, if that has read something. */
  abstract read(run: RunName, reading: RunReading): Promise<string>;

  /**
   * Adds hashes made with this salt. Stores none where the run has ended, has another salt, or would exceed
   * `MAX_HASHES`: what is not stored does not vouch.
   */
  abstract vouch(run: RunName, salt: string, hashes: string): Promise<void>;

  /** `null`: the run has read nothing, or has ended. */
  abstract find(run: RunName): Promise<Run | null>;

  /** Deletes the run. Its words do not vouch any more, and another run of this name is a new one. */
  abstract end(run: RunName): Promise<void>;

  /** Deletes at most `limit` runs whose time is over and that no pending call needs. Returns how many. */
  abstract deleteOld(limit: number): Promise<number>;
}
