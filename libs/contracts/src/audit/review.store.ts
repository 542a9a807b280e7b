import type { ControlKey } from '../common/control-mode.js';
import type { Page, PageRequest } from '../common/page.js';
import type { Origin } from '../screening/screening.js';

/** `true_positive`: the text was an attack. `false_positive`: it was harmless. */
export const REVIEW_VERDICTS = ['true_positive', 'false_positive', 'unsure'] as const;

/** Whether the reviewed decision was right. */
export type ReviewVerdict = (typeof REVIEW_VERDICTS)[number];

/** The latest review of an entry counts. `any` has one, `none` has none. */
export const REVIEW_FILTERS = [...REVIEW_VERDICTS, 'any', 'none'] as const;

/** A value of the filter `review` of `GET /audit`. */
export type ReviewFilter = (typeof REVIEW_FILTERS)[number];

/** A review to store. */
export interface NewReview {
  readonly entryId: number;
  readonly verdict: ReviewVerdict;
  /** Erased with the text of the entry. */
  readonly note: string | null;
  readonly actorId: string;
  readonly requestId: string | null;
  readonly reviewedAt: Date;
}

/** A person's judgement of a decision. Append-only: a later review of the same entry replaces it in every count. */
export interface Review extends NewReview {
  readonly id: number;
}

/** Entries by their deciding rule and their latest verdict. */
export interface ReviewCount {
  readonly ruleId: string;
  readonly verdict: ReviewVerdict;
  readonly count: number;
}

/** A reviewed text as an example for an evaluation of the rules. */
export interface LabelledText {
  /** The id of the entry. */
  readonly id: number;
  readonly text: string;
  readonly isAttack: boolean;
  readonly origin: Origin;
  readonly ruleId: string | null;
}

/** Stores the reviews of audit entries. */
export abstract class ReviewStore {
  /** `null` where no entry has this id. */
  abstract append(review: NewReview): Promise<Review | null>;

  /** All reviews of an entry, oldest first. */
  abstract ofEntry(entryId: number): Promise<readonly Review[]>;

  /** The next older entry of a control that was blocked or observed and has no review. */
  abstract nextUnreviewed(control: ControlKey, before: number): Promise<number | null>;

  /** Entries whose latest review was made at `since` or later. Entries without a deciding rule do not count. */
  abstract counts(since: Date): Promise<readonly ReviewCount[]>;

  /**
   * Texts of input screening whose latest review is `true_positive` or `false_positive`, newest first by the id of the entry. Texts
   * that are hashed, truncated or erased are left out, because the rules judged another text.
   */
  abstract labelled(page: PageRequest): Promise<Page<LabelledText>>;
}
