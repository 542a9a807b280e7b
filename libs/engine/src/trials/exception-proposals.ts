// Exceptions for false alarms. The routes of an audit entry call it.
import type { AuditEntry } from '#contracts/audit/record.js';
import type { BacktestObstacle } from '#contracts/screening/rules.api.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { MAX_PHRASE, MIN_PHRASE } from '#contracts/settings/exception-kind.js';
import { isCounted, type ScreeningException } from '#contracts/screening/screening.js';
import { type ByteSpan, utf16Spans } from '#contracts/common/spans.js';
import { codePoints } from '../text/characters.js';
import { obstacleOf } from './backtest.js';
import type { Redactor } from '../shared/ports.js';

interface ExceptionProposal {
  readonly exception: Pick<ScreeningException, 'rule_id' | 'phrase' | 'application'>;
  /** The match, in the recorded prompt. */
  readonly span: ByteSpan;
}

type Obstacle = BacktestObstacle | 'no_match' | 'match_too_long' | 'text_too_short' | 'personal_data';

const REASONS: Readonly<Record<Obstacle, string>> = {
  no_match: 'no rule matched',
  hashed: 'only a hash of its text is stored',
  erased: 'its text is erased',
  truncated: 'only a part of its text is stored',
  changed_by_hygiene:
    'redaction changed its text in or beside a match, or an earlier version recorded it without the places of the matches',
  structured: 'its values were judged one by one',
  host_screener: 'a screener of the host objected',
  match_too_long: `a match has more than ${MAX_PHRASE} characters`,
  text_too_short: `its text has less than ${MIN_PHRASE} characters`,
  personal_data: 'the phrase would contain a secret or personal data, and settings are readable',
};

/** Proposes exceptions for the matches of a recorded screening. Stores nothing. */
export class ExceptionProposals {
  constructor(private readonly redactor: Redactor) {}

  /**
   * The narrowest phrase around each match that counted. Together they cover every recorded match.
   *
   * @throws GuardrailsError `no_proposal`, with the reason in `details`.
   */
  of(entry: AuditEntry): readonly ExceptionProposal[] {
    // A match with a score objects to the whole text. It needs an exception only if it decided.
    const matches = entry.matchedRules.filter(
      (match) => isCounted(match) && (match.score === undefined || match.ruleId === entry.ruleId),
    );
    if (entry.control !== 'input_screen' || matches.length === 0) throw noProposal('no_match');
    const obstacle = obstacleOf(entry);
    if (obstacle !== null && entry.alteration !== 'edited') throw noProposal(obstacle);
    const characters = Array.from(entry.prompt);
    const proposals = new Map<string, ExceptionProposal>();
    for (const match of matches) {
      if (match.span === null) throw noProposal('changed_by_hygiene');
      const [start, end] = charactersOf(entry.prompt, match.span);
      const phrase = phraseAround(characters, [start, end]);
      // Hygiene replaced a part of this phrase, so the phrase is not in the text that users send.
      const beside = phrase.replace(characters.slice(start, end).join(''), '');
      if (obstacle !== null && /[[\]\uFFFD]/.test(beside)) throw noProposal('changed_by_hygiene');
      if (this.redactor.redact(phrase).edits.length > 0) throw noProposal('personal_data');
      const exception = {
        rule_id: match.ruleId,
        phrase,
        ...(entry.application !== null && { application: entry.application }),
      };
      const key = JSON.stringify(exception);
      if (!proposals.has(key)) proposals.set(key, { exception, span: match.span });
    }
    return [...proposals.values()];
  }
}

function noProposal(reason: Obstacle) {
  const message = `No exception can be proposed for this entry, because ${REASONS[reason]}.`;
  return new GuardrailsError('no_proposal', message, { details: { reason } });
}

/** Numbers of characters. */
type CharacterSpan = readonly [start: number, end: number];

function charactersOf(text: string, span: ByteSpan): CharacterSpan {
  const [[start, end] = [0, 0]] = utf16Spans(text, [span]);
  return [codePoints(text.slice(0, start)), codePoints(text.slice(0, end))];
}

/** The match, widened to at least ten characters, to the right first, and to whole words. */
function phraseAround(characters: readonly string[], match: CharacterSpan) {
  if (match[1] - match[0] > MAX_PHRASE) throw noProposal('match_too_long');
  if (characters.length < MIN_PHRASE) throw noProposal('text_too_short');
  const [start, end] = wholeWords(characters, match);
  const to = Math.max(end, Math.min(characters.length, start + MIN_PHRASE));
  const from = Math.min(start, to - MIN_PHRASE);
  return characters.slice(...wholeWords(characters, [from, to])).join('');
}

const WORD = /^[\p{L}\p{N}\p{M}_]/u;

/** The span itself where the words around it would exceed the longest phrase. */
function wholeWords(characters: readonly string[], [start, end]: CharacterSpan): CharacterSpan {
  const isInWord = (index: number) =>
    WORD.test(characters[index - 1] ?? '') && WORD.test(characters[index] ?? '');
  let [from, to] = [start, end];
  while (to - from <= MAX_PHRASE && isInWord(from)) from -= 1;
  while (to - from <= MAX_PHRASE && isInWord(to)) to += 1;
  return to - from > MAX_PHRASE ? [start, end] : [from, to];
}
