const MANY_DIGITS = /\d(?:[ .\-/()]{0,2}\d){5}/;

let asked = '';
let answered = false;

/** Whether a number of six digits or more stands in a text. A dozen detectors ask about the same text one after another. */
export function hasManyDigits(text: string): boolean {
  if (text !== asked) {
    asked = text;
    answered = MANY_DIGITS.test(text);
  }
  return answered;
}
