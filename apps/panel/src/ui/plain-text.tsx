import { visibleParts } from '../text/hidden.js';
import { partsOf } from '../text/parts.js';

/** Any text that comes from outside: isolated from the text around it, with hidden characters shown as marks. */
export function PlainText({ text }: { readonly text: string }) {
  return <bdi>{shown(text)}</bdi>;
}

/** An id or a key: it breaks after a part, and within a part only if the part is too long. */
export function NameText({ text }: { readonly text: string }) {
  return (
    <bdi class="name">
      {text.split(/(?<=[.:])/).map((part, index) => (
        <>
          {index > 0 && <wbr />}
          <Visible text={part} />
        </>
      ))}
    </bdi>
  );
}

/** The same as a cell of a long list: a block isolates its text without another element. */
export function TextCell({ class: name, text }: { readonly class: string; readonly text: string }) {
  return (
    <td class={name} dir="auto">
      {shown(text)}
    </td>
  );
}

function shown(text: string) {
  const parts = partsOf(text);
  return parts.map((part, index) =>
    // The first and the last part continue the lines of the text before and after this one.
    index === 0 || index === parts.length - 1 ? (
      <Visible text={part} />
    ) : (
      <span class="text-part">
        <Visible text={part} />
      </span>
    ),
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
