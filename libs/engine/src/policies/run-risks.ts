// What the approvers of a call must know first about its run. Found once, when the call begins to wait.
import type { Risk } from '#contracts/approvals/approvals.js';
import type { AuditStore } from '#contracts/audit/store.js';
import { scrubText, takeCodePoints } from '#contracts/common/text.js';
import type { ToolArguments } from '#contracts/firewall/firewall.js';
import { vouchedPointers, type ToolPolicy } from '#contracts/policies/policies.js';
import type { DecisionContext } from '#contracts/screening/screening.js';
import { readArgument } from './policy-evaluation.js';
import type { RunFacts } from '../runs/run-memory.js';

/** A longer value is not searched for, and shown by its beginning. */
const MAX_SHOWN = 100;
const FOREIGN = new Set(['document', 'tool_result']);

export class RunRisks {
  constructor(private readonly audit: Pick<AuditStore, 'list'>) {}

  async of(
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
    for (const pointer of vouchedPointers(policy)) {
      const found = readArgument(args, pointer);
      if (found.kind !== 'value' || facts.isVouched(found.value) !== false) continue;
      for (const value of Array.isArray(found.value) ? (found.value as readonly unknown[]) : [found.value])
        if (facts.isVouched(value) === false)
          risks.push({ name: 'unvouched_value', text: await this.sentence(pointer, value, facts, context) });
    }
    return risks;
  }

  private async sentence(
    pointer: string,
    value: unknown,
    facts: RunFacts,
    context: DecisionContext,
  ): Promise<string> {
    const { head, cut } = takeCodePoints(scrubText(String(value)), MAX_SHOWN);
    const place = cut ? null : await this.placeOf(head, context);
    const where =
      place === null
        ? facts.untrustedBy === null
          ? ''
          : ` The run has read texts of others since entry ${facts.untrustedBy}.`
        : ` It stands in a text that the run read (entry ${place}).`;
    const limit = facts.isFull ? ' The run has read more of the user than is remembered.' : '';
    // Quoted as in JSON, so that a value cannot continue the sentence.
    return `Nobody vouched for ${JSON.stringify(cut ? `${head}…` : head)} in ${pointer}.${where}${limit}`;
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
      // The call must wait in any case, also where the search fails.
      return null;
    }
  }
}

const entry = (id: number | null): string => (id === null ? '' : ` (entry ${id})`);
