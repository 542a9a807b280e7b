import { ApiError } from '#client/index.js';
import { loginAddress } from '../../data/session.js';
import { PlainText } from '../../ui/plain-text.js';
import { FailureBox } from '../settings/failure-box.js';
import { sentenceOf } from './sentences.js';

/** Why a decision, a proposal or a resolution was refused, and what to do next. */
export function DecisionError({ error }: { readonly error: Error }) {
  const login = error instanceof ApiError && error.code === 'unauthenticated' ? loginAddress() : null;
  const sentence = sentenceOf(error);
  return sentence === undefined ? (
    <FailureBox error={error} />
  ) : (
    <div class="notice blocked" role="alert">
      <p>
        <strong>
          <PlainText text={sentence.what} />
        </strong>
      </p>
      <p>{sentence.next}</p>
      {login !== null && (
        <p>
          <a href={login} target="_blank" rel="noopener">
            Log in in a new tab
          </a>
        </p>
      )}
    </div>
  );
}
