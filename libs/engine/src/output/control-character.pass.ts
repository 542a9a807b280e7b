import type { Finding } from '#contracts/output.js';
import { Pass, UNCHANGED, type PassResult, type Stretch } from './pass.js';
import type { Edit } from './traced-text.js';

/**
 * C0 without tab and line ends, DEL, C1, and the characters that embed, override or isolate a direction: they control
 * terminals and hide the meaning of a text. Marks of direction (U+200E, U+200F) stay, as do joiners of scripts and emoji.
 */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g;

/** Removes control characters, in every rendering. */
export class ControlCharacterPass extends Pass {
  override judge({ text, judged }: Stretch): PassResult {
    CONTROL.lastIndex = 0;
    if (!CONTROL.test(text)) return UNCHANGED;
    const edits: Edit[] = [];
    const findings: Finding[] = [];
    CONTROL.lastIndex = 0;
    for (let found = CONTROL.exec(text); found !== null; found = CONTROL.exec(text)) {
      const { index, 0: run } = found;
      if (index >= judged) break;
      const span = [index, index + run.length] as const;
      edits.push({ span, replacement: '' });
      findings.push({ kind: 'markdown_sanitized', detector: 'control_character', span });
    }
    return { edits, findings };
  }

  override settle(): void {
    // Each character is judged independently.
  }
}
