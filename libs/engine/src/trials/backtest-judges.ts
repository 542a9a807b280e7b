// How a backtest judges one recorded text, by control.
import type { BacktestObstacle } from '#contracts/screening/rules.api.js';
import type { AuditEntry } from '#contracts/audit/record.js';
import type { Finding } from '#contracts/output/output.js';
import {
  isCounted,
  type Origin,
  SCREENED_ORIGINS,
  type ScreenedOrigin,
  type Screener,
} from '#contracts/screening/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import { byteSpans, type ByteSpan } from '#contracts/common/spans.js';
import type { Sanitizer } from '../controls/output/sanitizer.js';
import { runInSlices } from '../shared/resumable.js';
import type { Screening } from '../controls/screening/screening.js';

/** What decided: a rule or a detector; `null` where the text could not be judged. */
interface Cause {
  readonly ruleId: string | null;
  readonly spans: readonly ByteSpan[];
}

export interface Change {
  readonly kind: 'newly_blocked' | 'no_longer_blocked';
  readonly causes: readonly Cause[];
}

/** Judges a recorded text: what changes, `null` if nothing does, or why it cannot be judged. */
export type Judge = (text: AuditEntry) => Promise<Change | BacktestObstacle | null>;

/** Settings to compare. */
interface Trial {
  readonly inForce: Settings;
  readonly candidate: Settings;
}

/**
 * Judges prompts by the rules and the classifier. Screeners of the host are not run, because their verdict can depend on more than the text:
 * a text that one of them objected to is not judged, and no text is if the candidate runs more of them.
 */
export function promptJudge(
  screening: Screening,
  screeners: readonly Screener[],
  { inForce, candidate }: Trial,
): Judge {
  const [before, after] = [screening.ruleset(inForce), screening.ruleset(candidate)];
  const running = screeners.filter((screener) => !after.isOff(screener));
  const ids = new Set(running.map(({ id }) => id));
  const runsMore = running.some((screener) => before.isOff(screener));
  const isScreened = ({ matchedRules, erroredRuleIds }: AuditEntry) =>
    matchedRules.some(({ ruleId }) => ids.has(ruleId)) || erroredRuleIds.some((id) => ids.has(id));
  return async (text) => {
    if (runsMore || (ids.size > 0 && isScreened(text))) return 'host_screener';
    const source = { origin: screenedOrigin(text.origin), application: text.application };
    const { blocked, ruleId, matchedRules } = await screening.judgeByRules(text.prompt, source, candidate);
    if (blocked === (text.outcome === 'blocked')) return null;
    if (!blocked) return { kind: 'no_longer_blocked', causes: [causeOf(text.ruleId, text.matchedRules)] };
    const deciding = matchedRules.filter((rule) => rule.ruleId === ruleId && isCounted(rule));
    const spans = byteSpans(
      text.prompt,
      deciding.map(({ span }) => span),
    );
    return { kind: 'newly_blocked', causes: [{ ruleId, spans }] };
  };
}

const screenedOrigin = (origin: Origin): ScreenedOrigin =>
  SCREENED_ORIGINS.find((screened) => screened === origin) ?? 'prompt';

function causeOf(ruleId: string | null, matched: AuditEntry['matchedRules']): Cause {
  const counted = matched.filter((rule) => rule.ruleId === ruleId && isCounted(rule));
  return { ruleId, spans: counted.flatMap(({ span }) => (span === null ? [] : [span])) };
}

/**
 * Judges outputs by the detectors: what the candidate finds is new where nothing was found, or where the settings in
 * force do not find it.
 */
export function outputJudge(sanitizer: Sanitizer, { inForce, candidate }: Trial): Judge {
  return async (text) => {
    const found = await findings(sanitizer, text, candidate);
    if (found?.length === 0) return null;
    const isKnown = text.outcome !== 'allowed';
    if (found === null) return isKnown ? null : newlyFound([{ ruleId: null, spans: [] }]);
    const known = new Set((isKnown ? await findings(sanitizer, text, inForce) : [])?.map(keyOf));
    const added = found.filter((finding) => !known.has(keyOf(finding)));
    const spans = byteSpans(
      text.prompt,
      added.map(({ span }) => span),
    );
    const byDetector = new Map<string, ByteSpan[]>();
    for (const [index, { detector }] of added.entries()) {
      byDetector.set(detector, [...(byDetector.get(detector) ?? []), spans[index] ?? [0, 0]]);
    }
    return added.length === 0
      ? null
      : newlyFound([...byDetector].map(([ruleId, its]) => ({ ruleId, spans: its })));
  };
}

function newlyFound(causes: readonly Cause[]): Change {
  return { kind: 'newly_blocked', causes };
}

const keyOf = ({ kind, detector, span }: Finding) => JSON.stringify([kind, detector, span]);

/** `null` if a detector of the host fails. */
async function findings(sanitizer: Sanitizer, { prompt, rendering }: AuditEntry, settings: Settings) {
  if (settings.mode('output_handler').isOff()) return [];
  const options = rendering === null ? {} : { rendering };
  try {
    return (await runInSlices(sanitizer.sanitizing(prompt, settings, options))).findings;
  } catch {
    return null;
  }
}
