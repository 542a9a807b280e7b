/** What the screens of the audit say about an entry. */
import type { AuditEntryData } from '#client/index.js';
import type { ReviewVerdict } from '#contracts/audit/review.store.js';
import { CONTROL_KEYS, type ControlKey } from '#contracts/common/control-mode.js';
import { count, plural } from '../../text/format.js';
import { CONTROL_WORDS } from '../../text/names.js';
import { placeText } from '../../ui/arguments.js';
import type { Tone } from '../../ui/values.js';
import { obstaclesText, verdictsText } from '../settings/sentences.js';

export const LEAD = 'What was asked and decided, newest first. Nothing here can be changed.';

/** Before the chips. */
export const COUNTED = 'Entries:';

export const NO_RUN = 'No run in this range matches.';
export const NO_RUN_HELP = 'Decisions outside of a run are listed as entries only.';
export const NO_ENTRY = 'No entry in this range matches.';
export const NO_ENTRY_HELP =
  'Entries appear as soon as the application screens a prompt, calls a guarded tool or sanitizes an output.';
export const ALL_OF_THE_MONTH = 'Show all of the last 30 days';

/** Marks of a run have the letters of the controls: A to D. */
export function letterOf(control: ControlKey): string {
  return 'ABCD'.charAt(CONTROL_KEYS.indexOf(control));
}

/** Whether an event can belong to an entry. */
export function isDecision(name: string): boolean {
  return /^guardrails\.(?:prompt|injection|tool|output|policy|approval)\./.test(name);
}

/** What rules look for, by their ids. */
export type Wordings = ReadonlyMap<string, string>;

/** What happened, in words. */
export function headlineOf(entry: AuditEntryData, words: Wordings): string {
  const { approval_step: step, control, outcome, rule_id: rule, violations, finding_count: findings } = entry;
  if (step !== null) return STEPS[step];
  if (entry.errored) return `${plural(entry.errored_rule_ids.length, 'rule')} failed`;
  switch (control) {
    case 'input_screen':
      return rule === null ? 'No rule matched that counts' : (words.get(rule) ?? `The rule ${rule} matched`);
    case 'tool_firewall':
      return outcome === 'allowed'
        ? 'The arguments fit the schema of the tool'
        : `${plural(Object.keys(violations ?? {}).length, 'argument')} did not fit the schema of the tool`;
    case 'output_handler':
      return findings === 0
        ? 'Nothing was found in the output'
        : `${plural(findings, 'finding')} in the output`;
    case 'hitl':
      return rule === null ? 'The tool is destructive' : `The policy ${rule} requires an approval`;
  }
  return control satisfies never;
}

/** Why the entry has its outcome, and what a stricter mode would have done. */
export function whyOf(entry: AuditEntryData): string {
  return [...noticesOf(entry), effectOf(entry)].filter(Boolean).join(' ');
}

function effectOf({ control, outcome, mode }: AuditEntryData) {
  const { label, effect } = CONTROL_WORDS[control];
  switch (outcome) {
    case 'allowed':
      return 'It was allowed.';
    case 'blocked':
      return `${label} enforces, so it was ${effect}.`;
    case 'observed':
      return `The mode was ${mode}, so it was only recorded. Under enforce it would have been ${effect}.`;
  }
  return outcome satisfies never;
}

function noticesOf({ rule_id: rule, matched_rules: matches }: AuditEntryData) {
  const excepted = matches.filter(({ exception }) => exception === true).length;
  const deciding = matches.filter(({ rule_id: id }) => id === rule);
  const isMentioned = deciding.length > 0 && deciding.every(({ mentioned }) => mentioned !== undefined);
  return [
    isMentioned && 'The text mentions the instruction and does not give it, so the match was only recorded.',
    excepted > 0 && `${plural(excepted, 'match', 'matches')} in exceptions did not count.`,
  ];
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

const VOUCHED = {
  true: 'given by the user or a trusted source',
  false: 'not given by the user or a trusted source',
  null: 'not comparable',
} as const;

/** What the policy of a call knew about the run: `The run had read texts of others. to: not comparable.` */
export function runText({ label, vouched }: NonNullable<AuditEntryData['run']>): string {
  const answers = Object.entries(vouched).map(
    ([pointer, answer]) => `${placeText(pointer)}: ${VOUCHED[`${answer}`]}.`,
  );
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

export const NEEDS_VERDICT = 'An exception needs the verdict “False alarm”.';
export const SAVED = 'The exception is saved.';
export const BY_HAND =
  'By hand: add an exception with the id of the rule and a phrase of at least ten characters that the harmless texts have in common.';

/** Numbers of texts that cannot be judged again, by reason. */
type Unjudgeable = Readonly<Record<string, number>>;

/** What an exception would have changed, first for the text of its entry. */
export function effectText({
  own,
  passing,
  attacks,
  alarms,
  unjudgeable,
}: {
  readonly own: { readonly isBlocked: boolean | null; readonly unjudgeable: Unjudgeable };
  readonly passing: number;
  readonly attacks: number;
  readonly alarms: number;
  readonly unjudgeable: Unjudgeable;
}): string {
  const unknown = obstaclesText(own.unjudgeable, () => 'because it could not be judged again');
  const others = obstaclesText(unjudgeable, (texts) => `and ${count(texts)} could not be judged again`);
  return [
    own.isBlocked === null
      ? `Whether the text above is still blocked is not known${unknown}.`
      : `With this, the text above is ${own.isBlocked ? 'still' : 'not'} blocked.`,
    `Of the prompts that were blocked in the last 30 days, ${count(passing)} more would pass${verdictsText(passing, attacks, alarms)}${others}.`,
  ].join(' ');
}
