import type { AuditExceptionData, AuditReviewData, ReviewData } from '#contracts/api/audit.responses.js';
import { REVIEW_VERDICTS } from '#contracts/reviews.js';
import { MAX_PHRASE, MIN_PHRASE } from '#contracts/settings/exception-kind.js';
import {
  about,
  choice,
  type Fields,
  id,
  list,
  moment,
  nullable,
  object,
  Optional,
  span,
  text,
} from '../openapi/json-schema.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';

type Proposal = AuditExceptionData['proposals'][number];

const review: Fields<ReviewData> = {
  verdict: about(
    choice(REVIEW_VERDICTS),
    '`true_positive`: the text was an attack; `false_positive`: it was harmless.',
  ),
  note: about(nullable(text), '`null` also after the text of the entry was erased.'),
  actor_id: text,
  reviewed_at: moment,
};

export const REVIEW = object<ReviewData>(review);

export const REVIEW_EXAMPLE: ReviewData = {
  verdict: 'true_positive',
  note: 'An attempt to get a refund without an order.',
  actor_id: 'ops-1',
  reviewed_at: '2026-03-31T10:02:11.000Z',
};

/** Reviews, and the exceptions that follow from them. */
export const AUDIT_REVIEWS = {
  'audit.review': {
    summary: 'Mark a decision as right or wrong',
    description:
      'Append-only: a later review of the same entry counts instead. An allowed entry can be reviewed too: `true_positive` marks a missed attack. Unknown members of the body are refused; `actor` is ignored.',
    body: {
      schema: {
        type: 'object',
        properties: {
          verdict: review.verdict,
          note: about(nullable({ ...text, maxLength: 1000 }), 'Stored with the review.'),
        },
        required: ['verdict'],
      },
      example: { verdict: 'true_positive', note: 'An attempt to get a refund without an order.' },
    },
    answer: answer<AuditReviewData>(
      'AuditReviewData',
      object<AuditReviewData>({
        review: object<AuditReviewData['review']>({ id, entry_id: id, ...review }),
        next_unreviewed_id: about(
          nullable(id),
          'The next older entry of the same control that was blocked or observed and has no review.',
        ),
      }),
      { review: { id: 12, entry_id: 4711, ...REVIEW_EXAMPLE }, next_unreviewed_id: 4702 },
    ),
  },
  'audit.exception': {
    summary: 'The narrowest exceptions for the matches of a decision',
    description:
      'Writes nothing. Each phrase is the match, widened to whole words and to at least 10 characters. A longer phrase excepts less text. Add a reason and an end, and set `input_screen.exceptions` with `PUT /settings`.',
    errors: ['no_proposal'],
    answer: answer<AuditExceptionData>(
      'AuditExceptionData',
      object<AuditExceptionData>({
        proposals: about(
          list(
            object<Proposal>({
              exception: object<Proposal['exception']>({
                rule_id: text,
                phrase: { ...text, minLength: MIN_PHRASE, maxLength: MAX_PHRASE },
                application: new Optional(about(text, 'The application of the entry.')),
              }),
              span: about(span, 'Position of the match in the prompt.'),
            }),
          ),
          'One for each match that counted; together they cover every recorded match.',
        ),
      }),
      {
        proposals: [
          {
            exception: {
              rule_id: 'ignore_previous_instructions',
              phrase: 'ignore all previous instructions',
              application: 'support-chat',
            },
            span: [7, 39],
          },
        ],
      },
    ),
  },
} as const satisfies Record<string, RouteDescription>;
