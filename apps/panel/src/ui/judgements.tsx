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

/** What screeners with a score, such as the classifier, objected to. */
export function Judgements({ matches }: { readonly matches: readonly Match[] }) {
  return (
    <>
      {matches.filter(isJudgement).map(({ rule_id: id, score = 0, threshold }) => (
        <p key={id} class="small">
          <PlainText text={id} /> objected to the whole text: score {count(score)}
          {threshold !== undefined && `, threshold ${count(threshold)}`}.
        </p>
      ))}
    </>
  );
}
