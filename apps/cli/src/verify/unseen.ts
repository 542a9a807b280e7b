/** What no look at the database can show, said wherever its result is. */
export const UNSEEN: readonly string[] = [
  'whoever may write everything, changed a row, and computed every later seal of its writer, its commitments and the folded counts anew',
  'the end of a chain, or all of one (each step of an approval is a chain of one row), removed together with its share of the folded counts and with what its writer noted of how far it came',
  'a removal that somebody entered as a run of retention',
  'approvals, violations of refused calls, and changes of settings that are no longer in force: triggers and rights protect them, and no seal of the audit',
  'what was written while this ran',
];
