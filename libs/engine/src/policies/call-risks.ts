// What the approvers of a call must know first about it and its run. Found once, when the call begins to wait.
import type { Risk } from '#contracts/approvals/approvals.js';
import type { AuditStore } from '#contracts/audit/store.js';
import { scrubText, takeCodePoints } from '#contracts/common/text.js';
import type { ToolArguments } from '#contracts/firewall/firewall.js';
import { vouchedPointers, type ToolPolicy } from '#contracts/policies/policies.js';
import type { DecisionContext } from '#contracts/screening/screening.js';
import type { ApprovalStore } from '#contracts/stores/approvals.store.js';
import { pointerTo, stepsOf } from '../json/plain-json.js';
import { textsAndCopy } from '../json/redacted-json.js';
import type { PersonalDataFinder } from '../shared/ports.js';
import { runInSlices } from '../shared/resumable.js';
import { readArgument } from './policy-evaluation.js';
import type { RunFacts } from '../runs/run-memory.js';

/** A longer value is not searched for, and shown by its beginning. */
const MAX_SHOWN = 100;
const FOREIGN = new Set(['document', 'tool_result']);

/** With one sentence of each other name, ten. */
const MAX_UNVOUCHED = 4;
/** Amounts, and recipients in one sentence. */
const MAX_NEW = 3;

/** Approved calls with which a call is compared. */
const EARLIER = 200;
/** Characters of their arguments that are read: with long arguments, fewer calls. */
const MAX_EARLIER_LENGTH = 200_000;
/** Fewer amounts have no 95th percentile. */
const MIN_AMOUNTS = 20;
/** Among fewer calls almost every recipient is new, so that a mark would say nothing about this one. */
const MIN_CALLS = 5;

const DECIMAL = /^\d{1,15}(?:\.\d{1,9})?$/;
/** `/order_id`, `/orderId`: such a number is no amount, and mostly larger than all before it. */
const IDENTIFIER = /(?:[/_-][iI]|[a-z]I)[dD]$/;
/** Reads a URL as browsers do: a backslash ends its host. */
const HOST = /:\/\/(?:[^\s/\\?#@]*@)?([^\s/\\?#:"'<>]+)/g;
const RECIPIENTS = /^(?:email|iban)$/;
const CONTACT = /^(?:email|phone)$/;

interface WaitingCall {
  readonly tool: string;
  readonly args: ToolArguments;
  readonly context: DecisionContext;
  readonly policy: ToolPolicy;
  /** `null`: the policy does not ask about the run. */
  readonly facts: RunFacts | null;
}

export class CallRisks {
  constructor(
    private readonly audit: Pick<AuditStore, 'list'>,
    private readonly approvals: Pick<ApprovalStore, 'approvedArguments'>,
    private readonly finder: PersonalDataFinder,
  ) {}

  /** In the order of `RISK_NAMES`. The call must wait in any case, also where a search fails. */
  async of({ tool, args, context, policy, facts }: WaitingCall): Promise<readonly Risk[]> {
    const { personal, recipients } = await this.read(args, context.principalId);
    const amounts = new Map(amountsIn(args));
    // Calls of a host without applications are those of one.
    const { application } = context;
    const filter = { tool, ...(application !== undefined && { application }) };
    const isCompared = amounts.size + recipients.size > 0;
    const found = isCompared ? await this.approvals.approvedArguments(filter, EARLIER).catch(() => []) : [];
    let room = MAX_EARLIER_LENGTH;
    const earlier = found.filter((one) => (room -= JSON.stringify(one).length) > 0);
    if (earlier.length >= MIN_CALLS && recipients.size > 0)
      for (const known of (await this.read(earlier)).recipients) recipients.delete(known);
    else recipients.clear();
    return [
      ...(facts === null ? [] : await this.ofRun(facts, policy, args, context)),
      ...unusualAmounts(amounts, earlier, named(tool)),
      ...newRecipients(recipients, `${earlier.length} earlier calls of ${named(tool)}`),
      ...personalData(personal),
    ];
  }

  /** Personal data except the id of the principal, with the names of the detectors, and where something is sent to. */
  private async read(value: unknown, principalId = '') {
    const { texts } = textsAndCopy(value);
    const findings = await runInSlices(this.finder.findingPersonalData(texts)).catch(() => []);
    const personal = new Map(
      findings.map(({ detector, span }) => [comparable(texts.slice(...span)), detector]),
    );
    personal.delete(comparable(principalId));
    const accounts = [...personal].flatMap(([text, kind]) => (RECIPIENTS.test(kind) ? [text] : []));
    const hosts = Array.from(texts.matchAll(HOST), ([, host = '']) => comparable(host));
    return { personal, recipients: new Set([...accounts, ...hosts]) };
  }

  private async ofRun(
    facts: RunFacts,
    policy: ToolPolicy,
    args: ToolArguments,
    context: DecisionContext,
  ): Promise<readonly Risk[]> {
    const risks: Risk[] = [];
    if (facts.label === 'suspect')
      risks.push({
        name: 'suspect_run',
        text: `This run read a text that gives orders to the assistant${entry(facts.suspectBy)}.`,
      });
    const end = risks.length + MAX_UNVOUCHED;
    for (const pointer of vouchedPointers(policy)) {
      const found = readArgument(args, pointer);
      if (found.kind !== 'value' || facts.isVouched(found.value) !== false) continue;
      for (const value of Array.isArray(found.value) ? (found.value as readonly unknown[]) : [found.value])
        if (risks.length < end && facts.isVouched(value) === false)
          risks.push({ name: 'unvouched_value', text: await this.sentence(pointer, value, facts, context) });
    }
    return risks;
  }

  private async sentence(pointer: string, value: unknown, facts: RunFacts, context: DecisionContext) {
    const text = scrubText(String(value));
    const place = takeCodePoints(text, MAX_SHOWN).cut ? null : await this.placeOf(text, context);
    const where =
      place === null
        ? facts.untrustedBy === null
          ? ''
          : ` The run has read texts of others since entry ${facts.untrustedBy}.`
        : ` It stands in a text that the run read (entry ${place}).`;
    const limit = facts.isFull ? ' The run has read more of the user than is remembered.' : '';
    return `Nobody vouched for ${json(text)} in ${field(pointer)}.${where}${limit}`;
  }

  /** The newest text of others in the run that contains the value. Stored texts may be redacted or erased. */
  private async placeOf(value: string, { runId, principalId }: DecisionContext): Promise<number | null> {
    if (runId === undefined || value.trim() === '') return null;
    try {
      const { entries } = await this.audit.list(
        {
          control: 'input_screen',
          run_id: runId,
          q: value,
          ...(principalId !== undefined && { principal_id: principalId }),
        },
        { limit: 20 },
      );
      return entries.find(({ origin }) => FOREIGN.has(origin))?.id ?? null;
    } catch {
      return null;
    }
  }
}

const entry = (id: number | null) => (id === null ? '' : ` (entry ${id})`);

/** Quoted as in JSON, so that a value cannot continue the sentence. */
function json(text: string) {
  const { head, cut } = takeCodePoints(scrubText(text), MAX_SHOWN);
  return JSON.stringify(cut ? `${head}…` : head);
}

/** `/items/2/price` → `"items › 2 › price"` */
const field = (pointer: string) => json(stepsOf(pointer).join(' › '));

/** A plain name stands alone. */
const named = (name: string) => (/^[\w./~-]{1,100}$/.test(name) ? name : json(name));

const comparable = (text: string) => text.toLowerCase().replaceAll(/\s/g, '');

/** Numbers and plain decimal texts, by their JSON pointers. */
function* amountsIn(value: unknown, pointer = ''): Generator<[pointer: string, amount: number]> {
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* amountsIn(inner, pointer + pointerTo([key]));
  else if ((typeof value === 'number' || DECIMAL.test(String(value))) && !IDENTIFIER.test(pointer))
    yield [pointer, Number(value)];
}

function unusualAmounts(
  amounts: ReadonlyMap<string, number>,
  earlier: readonly unknown[],
  tool: string,
): readonly Risk[] {
  const usual = new Map(Array.from(amounts.keys(), (pointer) => [pointer, [] as number[]]));
  for (const [pointer, amount] of earlier.flatMap((args) => [...amountsIn(args)]))
    usual.get(pointer)?.push(amount);
  const risks: Risk[] = [];
  for (const [pointer, found] of usual) {
    const [amount = 0, values] = [amounts.get(pointer), Float64Array.from(found).toSorted()];
    const largest = values[Math.ceil(values.length * 0.95) - 1] ?? 0;
    if (values.length < MIN_AMOUNTS || amount <= largest) continue;
    const fewer = values.filter((value) => value < amount).length;
    const text = `${amount} in ${field(pointer)} is more than ${fewer} of ${values.length} earlier calls of ${tool} (largest usual: ${largest}).`;
    risks.push({ name: 'unusual_amount', text });
  }
  return risks.slice(0, MAX_NEW);
}

function newRecipients(unknown: ReadonlySet<string>, earlier: string): readonly Risk[] {
  const shown = [...unknown].slice(0, MAX_NEW).map(json).join(', ');
  const more = unknown.size > MAX_NEW ? ` and ${unknown.size - MAX_NEW} more` : '';
  return shown === '' ? [] : [{ name: 'new_recipient', text: `In none of ${earlier}: ${shown}${more}.` }];
}

/** One e-mail address or phone number alone is the recipient. */
function personalData(personal: ReadonlyMap<string, string>): readonly Risk[] {
  const kinds = [...new Set(personal.values())].join(', ');
  if (kinds === '' || (personal.size < 2 && CONTACT.test(kinds))) return [];
  return [{ name: 'personal_data', text: `The arguments contain personal data: ${kinds}.` }];
}
