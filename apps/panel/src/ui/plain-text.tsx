import { visibleParts } from '../text/hidden.js';
import { partsOf } from '../text/parts.js';

/** Any text that comes from outside: isolated from the text around it, with hidden characters shown as marks. */
export function PlainText({ text }: { readonly text: string }) {
  const parts = partsOf(text);
  return (
    <bdi>
      {parts.map((part, index) =>
        // The first and the last part continue the lines of the text before and after this one.
        index === 0 || index === parts.length - 1 ? (
          <Visible text={part} />
        ) : (
          <span class="text-part">
            <Visible text={part} />
          </span>
        ),
      )}
    </bdi>
  );
}

function Visible({ text }: { readonly text: string }) {
  return (
    <>
      {visibleParts(text).map((part) =>
        'text' in part ? (
          part.text
        ) : (
          <span class="hidden-mark" title={part.name}>
            {part.mark}
          </span>
        ),
      )}
    </>
  );
}
