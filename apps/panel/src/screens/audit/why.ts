import { plural } from '../../text/format.js';
import { CONTROL_LABELS } from '../../text/names.js';
import type { Entry } from './entry.js';

/** Why the entry has its outcome, and what a stricter mode would have done. */
export function whyOf(entry: Entry): string {
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
      const others = silenced > 0 ? ` Exceptions silenced ${plural(silenced, 'match', 'matches')}.` : '';
      if (rule !== null) return `The rule ${rule} matched.${others}`;
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
      if (entry.origin === 'approval') return 'This is a step of an approval.';
      return rule === null ? 'The tool is destructive.' : `The policy ${rule} asks for approval.`;
  }
}

/** What storage kept of the text. */
export const STORAGE: Readonly<Record<Entry['prompt_storage'], string>> = {
  raw: 'The text is stored as it was.',
  redact: 'Secrets and personal data are replaced before a text is stored.',
  truncate: 'Only the beginning of the text is stored.',
  hash: 'Only a hash of the text is stored.',
  erased: 'The text was erased by retention. What was decided about it stays.',
};
