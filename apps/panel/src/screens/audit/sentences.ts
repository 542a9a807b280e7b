/** What the screens of the audit say about an entry. */
import type { AuditEntryData } from '#client/index.js';
import type { ReviewVerdict } from '#contracts/audit/review.store.js';
import { plural } from '../../text/format.js';
import { CONTROL_WORDS } from '../../text/names.js';
import type { Tone } from '../../ui/values.js';

/** Why the entry has its outcome, and what a stricter mode would have done. */
export function whyOf(entry: AuditEntryData): string {
  if (entry.approval_step !== null) return STEPS[entry.approval_step];
  const cause = causeOf(entry);
  const { label, effect } = CONTROL_WORDS[entry.control];
  switch (entry.outcome) {
    case 'allowed':
      return `${cause} It was allowed.`;
    case 'blocked':
      return `${cause} ${label} enforces, so it was ${effect}.`;
    case 'observed':
      return `${cause} The mode was ${entry.mode}, so it was only recorded. Under enforce it would have been ${effect}.`;
  }
  return entry.outcome satisfies never;
}

function causeOf(entry: AuditEntryData): string {
  const { control, outcome, rule_id: rule, violations, finding_count: findings } = entry;
  if (entry.errored) return `${plural(entry.errored_rule_ids.length, 'rule')} failed.`;
  switch (control) {
    case 'input_screen':
      return matchesOf(entry);
    case 'tool_firewall':
      return outcome === 'allowed'
        ? 'The arguments fit the schema of the tool.'
        : `${plural(Object.keys(violations ?? {}).length, 'argument')} did not fit the schema of the tool.`;
    case 'output_handler':
      return findings === 0
        ? 'Nothing was found in the output.'
        : `${plural(findings, 'finding')} in the output.`;
    case 'hitl':
      return rule === null ? 'The tool is destructive.' : `The policy ${rule} requires an approval.`;
  }
  return control satisfies never;
}

function matchesOf({ rule_id: rule, matched_rules: matches }: AuditEntryData): string {
  const excepted = matches.filter(({ exception }) => exception === true).length;
  const deciding = matches.filter(({ rule_id: id }) => id === rule);
  const isMentioned = deciding.length > 0 && deciding.every(({ mentioned }) => mentioned !== undefined);
  return [
    rule === null ? 'No rule matched that counts.' : `The rule ${rule} matched.`,
    isMentioned && 'The text mentions the instruction and does not give it, so the match was only recorded.',
    excepted > 0 && `${plural(excepted, 'match', 'matches')} in exceptions did not count.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The page of the approval names the actor. */
const STEPS: Readonly<Record<NonNullable<AuditEntryData['approval_step']>, string>> = {
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

const READ = {
  clean: 'The run had read no text of others.',
  untrusted: 'The run had read texts of others.',
  suspect: 'The run had read a text that gives orders to the assistant.',
} as const;

const VOUCHED = { true: 'vouched for', false: 'nobody vouched', null: 'not comparable' } as const;

/** What the policy of a call knew about the run: `The run had read texts of others. /to: nobody vouched.` */
export function runText({ label, vouched }: NonNullable<AuditEntryData['run']>): string {
  const answers = Object.entries(vouched).map(([pointer, answer]) => `${pointer}: ${VOUCHED[`${answer}`]}.`);
  return [READ[label], ...answers].join(' ');
}

/** What storage kept of the text. */
export const STORAGE: Readonly<Record<AuditEntryData['prompt_storage'], string>> = {
  raw: 'The text is stored as it was.',
  redact: 'Secrets and personal data are replaced before a text is stored.',
  truncate: 'Only the beginning of the text is stored.',
  hash: 'Only a hash of the text is stored.',
  erased: 'The text was erased by retention. The decision is kept.',
};

/** Whether the stored text can be read. */
export function hasText({ prompt_storage: storage }: Pick<AuditEntryData, 'prompt_storage'>): boolean {
  return storage !== 'hash' && storage !== 'erased';
}

export const VERDICTS: Readonly<
  Record<ReviewVerdict, { readonly label: string; readonly key: 'f' | 't' | 'u'; readonly tone: Tone }>
> = {
  false_positive: { label: 'False alarm', key: 'f', tone: 'observed' },
  true_positive: { label: 'Attack', key: 't', tone: 'blocked' },
  unsure: { label: 'Unsure', key: 'u', tone: 'quiet' },
};

/** In the order of the buttons. */
export const VERDICT_NAMES = Object.keys(VERDICTS) as ReviewVerdict[];
