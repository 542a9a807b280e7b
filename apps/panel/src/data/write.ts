import { useState } from 'preact/hooks';
import { ApiError, type FieldErrors } from '#client/index.js';
import { noteFailure } from './session.js';

/** One write at a time of a form or a button: whether it is being sent, and its error. */
export function useWrite() {
  const [error, setError] = useState<Error>();
  const [isSending, send] = useState(false);
  const fields: FieldErrors = error instanceof ApiError ? error.fields : {};
  const write = async (action: () => Promise<void>): Promise<void> => {
    send(true);
    setError(undefined);
    try {
      await action();
    } catch (failure) {
      noteFailure(failure);
      setError(failure as Error);
    }
    send(false);
  };
  return { error, fields, isSending, setError, write };
}
