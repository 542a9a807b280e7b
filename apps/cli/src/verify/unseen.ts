/** What no look at the database can show, said wherever its result is. */
export const UNSEEN: readonly string[] = [
  'whoever may write everything, changed a row, and computed every later seal of its writer, its commitments and the folded counts anew',
  'the end of a chain, or all of one (each step of an approval is a chain of one row), removed together with its share of the folded counts',
  'a removal that somebody entered as a run of retention',
  'rejections, changes of settings and approvals, which triggers and rights protect, and no seal',
  'what was written while this ran',
];
