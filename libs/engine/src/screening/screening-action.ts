import type { ControlMode, Outcome } from '../../../contracts/src/control-mode.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import type { Judgement } from './judgement.js';

export interface ScreeningAction {
  /** There is something to act on: a match, or a text that could not be judged while failures count as matches. */
  readonly found: boolean;
  /** What was done about it. */
  readonly outcome: Outcome;
  /** The mode that decided. */
  readonly mode: ControlMode;
}

/** From what the rules say to what is done: the one place where a judgement meets the mode. */
export function actionOf(judgement: Judgement, settings: Settings): ScreeningAction {
  const mode = settings.mode('input_screen');
  const failsClosed = judgement.couldNotJudge && settings.get('pattern_safety.on_match_error') === 'closed';
  if (failsClosed && (!judgement.matched || mode.enforces())) {
    return { found: true, outcome: mode.outcomeOf(true), mode };
  }
  if (!judgement.matched) return { found: false, outcome: 'allowed', mode };
  return { found: true, outcome: judgement.ruleMode.outcomeOf(true), mode: judgement.ruleMode };
}
