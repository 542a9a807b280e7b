import { plural } from '../../text/format.js';
import { CONTROL_LABELS } from '../../text/names.js';
import type { Entry } from './entry.js';

/** Why the entry has its outcome, and what a stricter mode would have done. */
export function whyOf(entry: Entry): string {
  if (entry.approval_step !== null) return STEPS[entry.approval_step];
  const cause = causeOf(entry);
  const control = CONTROL_LABELS[entry.control];
  if (entry.outcome === 'allowed') return `${cause} It was allowed.`;
  const effect = BLOCKED[entry.control];
  return entry.outcome === 'blocked'
    ? `${cause} ${control} enforces, so it was ${effect}.`
    : `${cause} The mode was ${entry.mode}, so it was only recorded. Under enforce it would have been ${effect}.`;
}

const BLOCKED: Readonly<Record<Entry['control'], string>> = {
  tool_firewall: 'refused',
  input_screen: 'refused',
  output_handler: 'changed',
  hitl: 'held until an operator decides',
};

function causeOf(entry: Entry): string {
  const {
    control,
    outcome,
    rule_id: rule,
    matched_rules: matches,
    violations,
    finding_count: findings,
  } = entry;
  if (entry.errored) return `${plural(entry.errored_rule_ids.length, 'rule')} failed.`;
  switch (control) {
    case 'input_screen': {
      const silenced = matches.filter(({ exception }) => exception === true).length;
      const others =
        silenced > 0 ? ` ${plural(silenced, 'match', 'matches')} in exceptions did not count.` : '';
      const deciding = matches.filter(({ rule_id: id }) => id === rule);
      const mentioned =
        deciding.length > 0 && deciding.every((match) => match.mentioned !== undefined)
          ? ' The text mentions the instruction and does not give it, so the match was only recorded.'
          : '';
      if (rule !== null) return `The rule ${rule} matched.${mentioned}${others}`;
      return `No rule matched that counts.${others}`;
    }
    case 'tool_firewall':
      return outcome === 'allowed'
        ? 'The arguments fit the schema of the tool.'
        : `${plural(Object.keys(violations ?? {}).length, 'argument')} did not fit the schema of the tool.`;
    case 'output_handler':
      return findings === 0
        ? 'Nothing was found in the output.'
        : `${plural(findings, 'finding')} in the output.`;
    default:
      return rule === null ? 'The tool is destructive.' : `The policy ${rule} requires an approval.`;
  }
}

/** The page of the approval names the actor. */
const STEPS: Readonly<Record<NonNullable<Entry['approval_step']>, string>> = {
  parked: 'The call waits: it needs an approval before it runs.',
  proposed: 'An operator edited the arguments. The edited call needs an approval before it runs.',
  voted: 'An operator approved the call. It still needs another approval.',
  reminded: 'Approvers were reminded of the call.',
  escalated: 'The call was escalated, because it was not decided in time.',
  approved: 'The call was approved.',
  rejected: 'The call was rejected. It does not run.',
  executed: 'The approved call ran.',
  failed: 'The approved call ran and failed.',
  outcome_unknown: 'It is not known whether the approved call ran.',
  expired: 'The call was not decided in time. It does not run.',
  superseded: 'The call was replaced, because its arguments, its policy or its settings changed.',
};

/** What storage kept of the text. */
export const STORAGE: Readonly<Record<Entry['prompt_storage'], string>> = {
  raw: 'The text is stored as it was.',
  redact: 'Secrets and personal data are replaced before a text is stored.',
  truncate: 'Only the beginning of the text is stored.',
  hash: 'Only a hash of the text is stored.',
  erased: 'The text was erased by retention. The decision is kept.',
};
