import { useState } from 'preact/hooks';
import { utf16Spans } from '#client/index.js';
import type { ByteSpan } from '#contracts/common/spans.js';
import { count } from '../text/format.js';
import { characterStart, PlainText } from './plain-text.js';

/** Longer texts are cut until the operator unfolds them. */
const FOLDED_LENGTH = 4000;
/** Of a longer match, its beginning and its end are shown. */
const FOLDED_MATCH = 600;

export interface Mark {
  readonly span: ByteSpan;
  /** Shown for the marked stretch, such as the rule. */
  readonly label: string;
  /** A match that does not count, because of an exception, is only outlined. */
  readonly isQuiet?: boolean | undefined;
}

/** A recorded text with its findings. Numbers distinguish those that overlap. */
export function MarkedText({ text, marks }: { readonly text: string; readonly marks: readonly Mark[] }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const isFolded = !isUnfolded && text.length > FOLDED_LENGTH;
  const all = segments(
    text,
    marks.map(({ span }) => span),
  );
  const shown = isFolded ? cut(all, FOLDED_LENGTH) : all;
  // The operator asked for the whole text, so no match is shortened.
  const isAllShown = isUnfolded && text.length > FOLDED_LENGTH;
  return (
    <div class="marked-text">
      <pre dir="auto" tabIndex={0}>
        {shown.map(({ text: part, covered }) =>
          covered.length === 0 ? (
            <PlainText text={part} />
          ) : (
            <mark
              class={covered.every((index) => marks[index]?.isQuiet) ? 'quiet' : ''}
              title={covered.map((index) => marks[index]?.label).join(', ')}
            >
              {isAllShown ? <PlainText text={part} /> : <Match text={part} />}
              <sup>{covered.map((index) => index + 1).join(' ')}</sup>
            </mark>
          ),
        )}
      </pre>
      {text.length > FOLDED_LENGTH && (
        <button type="button" class="link" onClick={() => setUnfolded(!isUnfolded)}>
          {isFolded ? `Show all ${count(text.length)} characters` : 'Show less'}
        </button>
      )}
    </div>
  );
}

/** A long match is folded to its ends, with a button in place of the rest. */
function Match({ text }: { readonly text: string }) {
  const [isUnfolded, setUnfolded] = useState(false);
  if (text.length <= FOLDED_MATCH) return <PlainText text={text} />;
  const start = characterStart(text, FOLDED_MATCH / 2);
  const end = characterStart(text, text.length - FOLDED_MATCH / 2);
  return (
    <>
      <PlainText text={text.slice(0, start)} />
      <button type="button" class="fold" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
        {isUnfolded ? 'Hide' : 'Show'} {count(end - start)} characters
      </button>
      <PlainText text={text.slice(isUnfolded ? start : end)} />
    </>
  );
}

/** All marked parts, and the first `length` characters of the other text. */
function cut(all: ReturnType<typeof segments>, length: number) {
  let left = length;
  return all.flatMap((segment) => {
    if (segment.covered.length > 0) return [segment];
    if (left <= 0) return [{ ...segment, text: ' … ' }];
    const text = segment.text.slice(0, left);
    left -= text.length;
    return [{ ...segment, text: text.length < segment.text.length ? `${text} … ` : text }];
  });
}

interface Match {
  readonly rule_id: string;
  readonly score?: number | undefined;
  readonly threshold?: number | undefined;
}

/** Whether the match is a judgement of the whole text, in which no place is to be marked. */
export function isJudgement({ score }: Match): boolean {
  return score !== undefined;
}

/** The scores of screeners that judge a whole text, such as the classifier. */
export function Judgements({ matches }: { readonly matches: readonly Match[] }) {
  return matches.filter(isJudgement).map(({ rule_id: id, score = 0, threshold }) => (
    <p key={id} class="small">
      <PlainText text={id} /> judged the whole text: it scored {count(score)}
      {threshold !== undefined && `, over the threshold of ${count(threshold)}`}.
    </p>
  ));
}

/** A stretch of text that the same spans cover, by their numbers. */
interface Segment {
  readonly text: string;
  readonly covered: readonly number[];
}

/** Splits a text at the borders of its spans, which may overlap. */
function segments(text: string, spans: readonly ByteSpan[]): readonly Segment[] {
  const placed = utf16Spans(text, spans);
  const borders = [...new Set([0, text.length, ...placed.flat()])].toSorted((a, b) => a - b);
  return borders.slice(0, -1).map((start, number) => {
    const end = borders[number + 1] ?? text.length;
    return {
      text: text.slice(start, end),
      covered: placed.flatMap(([from, to], index) => (from <= start && to >= end ? [index] : [])),
    };
  });
}

/** The text of each span. */
export function byteSlices(text: string, spans: readonly ByteSpan[]): readonly string[] {
  return utf16Spans(text, spans).map((span) => text.slice(...span));
}
