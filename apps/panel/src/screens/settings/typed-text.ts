import { useState } from 'preact/hooks';
import { isSame } from './settings-data.js';

/** The text of a field for a value, as it was typed, while it represents that value. */
export function useTypedText(
  value: unknown,
  parse: (text: string) => unknown,
  format: (value: unknown) => string,
): readonly [text: string, keep: (text: string) => void] {
  const [typed, setTyped] = useState<string | null>(null);
  return [typed !== null && isSame(parse(typed), value) ? typed : format(value), setTyped];
}
