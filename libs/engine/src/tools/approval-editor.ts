// The routes and `Approvals.propose` call it when an operator edits a pending call.
import type { Approval, ApprovalRequirement } from '#contracts/approvals/approvals.js';
import type { Tool, ToolContext } from '#contracts/firewall/firewall.js';
import type { Settings } from '#contracts/settings/settings.js';
import { scrubText } from '#contracts/common/text.js';
import { approvalErrors } from '../controls/approvals/approval-errors.js';
import type { ApprovalParking, CallToPark } from '../controls/approvals/approval-parking.js';
import type { ApprovalService } from '../controls/approvals/approval-service.js';
import type { ApproverCheck } from '../controls/approvals/approval-quorum.js';
import { contextOf } from '../controls/approvals/approval-transitions.js';
import { readArguments } from '../controls/firewall/tool-arguments.js';
import type { FirewallResult, ToolFirewall } from '../controls/firewall/tool-firewall.js';
import { needsApproval, type ToolRegistry } from '../controls/firewall/tool-registry.js';
import { canonicalJson, digestOf } from '../json/plain-json.js';
import { demandOfCode, type PolicyGate } from '../policies/policy-gate.js';
import type { ApprovalTerms, CurrentSettings, RuleCatalog } from '../shared/ports.js';
import { whyNotParked } from './tool-guard.js';

interface Proposal {
  /** The complete arguments, for the same tool. */
  readonly arguments: unknown;
  readonly actorId: string;
  readonly reason: string | null;
}

type ReviewedCall = Pick<FirewallResult, 'args' | 'overwritten'>;

interface ApprovalEditorOptions {
  readonly service: ApprovalService;
  readonly parking: ApprovalParking;
  readonly firewall: ToolFirewall;
  readonly registry: ToolRegistry;
  readonly settings: CurrentSettings;
  readonly policies: PolicyGate;
  readonly approvers: ApproverCheck;
  readonly ruleCatalog: RuleCatalog;
}

type EditedCall = Pick<CallToPark, 'tool' | 'args' | 'context' | 'settings'>;

/** Replaces pending calls by edited ones, which are judged like new calls of the same requester. */
export class ApprovalEditor {
  constructor(private readonly options: ApprovalEditorOptions) {}

  /** Returns the new proposal, which always waits for approval. The editor counts as one of its requesters. */
  async propose(id: number, proposal: Proposal): Promise<Approval> {
    const edit = { actorId: scrubText(proposal.actorId), reason: proposal.reason };
    const replaced = await this.options.service.findEditable(id, edit.actorId);
    const settings = this.options.settings.current();
    const context = contextOf(replaced);
    const tool = this.options.registry.find(replaced.tool);
    if (tool === undefined) throw approvalErrors.unavailable(`The tool ${replaced.tool} is not registered.`);
    const { args, overwritten } = await this.judge(tool, proposal.arguments, context, settings);
    if (digestOf(args) === replaced.argumentsDigest)
      throw invalid('are the same as those of the pending call; approve or reject that call');
    const obstacle = await whyNotParked(
      { tool, context, settings },
      args,
      args,
      this.options.registry,
      this.options.firewall,
    );
    if (obstacle !== null) throw invalid(`cannot wait for approval: ${obstacle}`);
    const terms = await this.termsOf({ tool, args, context, settings }, edit.actorId);
    const requirement = stricter(replaced.requirement, terms.requirement);
    const unmet = this.options.approvers.whyNeverMet(requirement, context.principalId);
    if (unmet !== null) throw invalid(`cannot wait for approval: ${unmet}`);
    const requested = { arguments: replaced.requestedArguments ?? replaced.arguments ?? {}, overwritten };
    const proposed = await this.options.parking.propose(replaced, edit, {
      tool,
      args,
      settings,
      terms: { ...terms, requirement, requested },
    });
    return proposed ?? this.refuseLate(id);
  }

  /** What the policy requires of the edited call. */
  private async termsOf(
    { tool, args, context, settings }: EditedCall,
    actorId: string,
  ): Promise<ApprovalTerms> {
    const mode = settings.mode('hitl');
    const terms = await this.options.policies.termsOf({
      tool: tool.name,
      args,
      isDestructive: needsApproval(tool, settings),
      code: await demandOfCode([tool], args, context),
      mode,
      settings,
      draft: {
        mode,
        origin: 'approval',
        text: canonicalJson(args),
        json: args,
        context,
        tool: tool.name,
        rulesetVersion: this.options.ruleCatalog.rulesetVersion(settings),
        durationUs: 0,
        actorId,
      },
    });
    if (terms === null) throw invalid('are denied by the policy of the tool');
    return terms;
  }

  private async judge(
    tool: Tool,
    input: unknown,
    context: ToolContext,
    settings: Settings,
  ): Promise<ReviewedCall> {
    const mode = settings.mode('tool_firewall');
    const read = readArguments(input);
    if (!read.ok) throw violating(read.violations);
    if (mode.isOff()) return { args: read.args, overwritten: [] };
    const judgement = await this.options.firewall.judge(tool, read.args, context, settings);
    if (!mode.enforces()) return judgement;
    if (judgement.denied) throw invalid('are not allowed for the requester of the call');
    if (Object.keys(judgement.violations).length > 0) throw violating(judgement.violations);
    return judgement;
  }

  /** The call was decided while it was edited. */
  private async refuseLate(id: number): Promise<never> {
    await this.options.service.assertPending(await this.options.service.findById(id));
    throw approvalErrors.unavailable('The call changed while it was edited. Try again.');
  }
}

/** At least as many approvers of the same group as before. Two groups cannot both decide. */
function stricter(replaced: ApprovalRequirement, required: ApprovalRequirement): ApprovalRequirement {
  if (replaced.group !== null && required.group !== null && replaced.group !== required.group)
    throw invalid('need the approval of another group than the call; reject it instead');
  return {
    rule: required.rule,
    approvers: Math.max(replaced.approvers, required.approvers),
    group: replaced.group ?? required.group,
    isReasonRequired: replaced.isReasonRequired || required.isReasonRequired,
  };
}

function invalid(reason: string) {
  return approvalErrors.invalidProposal({ arguments: [reason] });
}

function violating(violations: Readonly<Record<string, string>>) {
  const fields = Object.entries(violations).map(([path, reason]) => {
    const name = path.startsWith('(') ? 'arguments' : `arguments.${path}`;
    return [name, [reason]] as const;
  });
  return approvalErrors.invalidProposal(Object.fromEntries(fields));
}
