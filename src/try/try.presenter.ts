import type { TrySanitizeData, TryScreenData } from '../../libs/contracts/src/api/try.responses.js';
import type { Finding } from '../../libs/contracts/src/output.js';
import type { SandboxScreening } from '../../libs/engine/src/sandbox.js';
import { countsByKind } from '../output/output.presenter.js';

export function presentScreening(screening: SandboxScreening): TryScreenData {
  const { result, blocked, wouldEnforce, refusalMessage, matched } = screening;
  return {
    blocked,
    would_enforce: wouldEnforce,
    rule_id: result.ruleId,
    refusal_message: refusalMessage,
    ruleset_version: result.rulesetVersion,
    matched_rules: matched.map(({ ruleId, span, text }) => ({ rule_id: ruleId, span, text })),
    normalized: result.normalized,
    normalization_steps: result.steps,
  };
}

export function presentSanitised(sanitised: {
  readonly text: string;
  readonly findings: readonly Finding[];
}): TrySanitizeData {
  return {
    sanitized: sanitised.text,
    kinds: countsByKind(sanitised.findings.map(({ kind }) => ({ kind, count: 1 }))),
    findings: sanitised.findings.map(({ kind, detector, span }) => ({ kind, detector, span })),
  };
}
