import { PlainText } from './plain-text.js';

/** The beginning of the text of an entry in a list. */
export function PromptPreview({ text }: { readonly text: string | null }) {
  return text === null ? <span class="muted">not stored</span> : <PlainText text={text} />;
}
