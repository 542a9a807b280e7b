import { visibleParts } from '../text/hidden.js';

/** Any text that comes from outside: isolated from the text around it, with hidden characters shown as marks. */
export function PlainText({ text }: { readonly text: string }) {
  return (
    <bdi>
      {visibleParts(text).map((part) =>
        'text' in part ? (
          part.text
        ) : (
          <span class="hidden-mark" title={part.name}>
            {part.mark}
          </span>
        ),
      )}
    </bdi>
  );
}
