import { count } from '../text/format.js';
import { PlainText } from './plain-text.js';

interface Match {
  readonly rule_id: string;
  readonly score?: number | undefined;
  readonly threshold?: number | undefined;
}

/** Whether the match is a judgement of the whole text, in which no place is to be marked. */
export function isJudgement({ score }: Match): boolean {
  return score !== undefined;
}

/** The scores of screeners that judge a whole text, such as the classifier. */
export function Judgements({ matches }: { readonly matches: readonly Match[] }) {
  return (
    <>
      {matches.filter(isJudgement).map(({ rule_id: id, score = 0, threshold }) => (
        <p key={id} class="small">
          <PlainText text={id} /> scored the whole text {count(score)}
          {threshold !== undefined && `, and matches from ${count(threshold)}`}.
        </p>
      ))}
    </>
  );
}
