import { ApiError } from '#client/index.js';
import { ErrorBox } from '../../ui/states.js';
import { PlainText } from '../../ui/plain-text.js';

/** An error with the fields that the server names. */
export function FailureBox({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  return (
    <div>
      <ErrorBox error={error} retry={retry} />
      {fields.length > 0 && (
        <ul class="field-error stack-s">
          {fields.flatMap(([name, reasons]) =>
            [reasons].flat().map((reason) => (
              <li key={`${name} ${reason}`}>
                <code>{name}</code>: <PlainText text={reason} />
              </li>
            )),
          )}
        </ul>
      )}
    </div>
  );
}
