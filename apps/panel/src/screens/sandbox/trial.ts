import { useEffect, useState } from 'preact/hooks';
import { noteFailure, signIns } from '../../data/session.js';

const PAUSE_MS = 250;

/** The last answer stays while a newer text is judged, so that the page does not flicker while one types. */
export interface Trial<Data> {
  readonly answer: { readonly text: string; readonly data: Data } | null;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Has a text judged after a pause in typing. A newer text or another `options` aborts the request before. */
export function useTrial<Data>(
  text: string,
  options: string,
  judge: (text: string, signal: AbortSignal) => Promise<Data>,
): Trial<Data> {
  const [answer, setAnswer] = useState<Trial<Data>['answer']>(null);
  const [error, setError] = useState<Error | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    setError(null);
    if (text === '') {
      setAnswer(null);
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      judge(text, abort.signal).then(
        (data) => !abort.signal.aborted && setAnswer({ text, data }),
        (failure: Error) => {
          if (abort.signal.aborted) return;
          noteFailure(failure);
          setAnswer(null);
          setError(failure);
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, options, round, signIns.value]);
  return { answer, error, retry: () => setRound((count) => count + 1) };
}
