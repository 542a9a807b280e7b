import { PlainText } from '../../ui/plain-text.js';
import { wordOf } from './settings-data.js';

const LONGEST_WORD = 40;
/** A longer value may scroll, and then the keyboard has to reach it. */
const LONGEST_UNSCROLLED = 240;
const MOST_LINES_UNSCROLLED = 8;

/** The two values of a change: in one line where both are short, else side by side. */
export function ChangedValue({
  before,
  after,
}: {
  readonly before: readonly [name: string, value: unknown];
  readonly after: readonly [name: string, value: unknown];
}) {
  const sides = [before, after];
  const areShort = sides.every(([, value]) => {
    const word = wordOf(value);
    return word.length <= LONGEST_WORD && !word.includes('\n');
  });
  if (!areShort) {
    return (
      <div class="difference">
        {sides.map(([name, value]) => (
          <Side key={name} name={name} value={value} />
        ))}
      </div>
    );
  }
  return (
    <p class="row">
      {sides.map(([name, value], index) => (
        <span key={name}>
          {index > 0 && <span class="muted">→ </span>}
          <span class="visually-hidden">{name}: </span>
          <code class="value">
            <PlainText text={wordOf(value)} />
          </code>
        </span>
      ))}
    </p>
  );
}

export function Side({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = wordOf(value);
  const mayScroll = text.length > LONGEST_UNSCROLLED || text.split('\n').length > MOST_LINES_UNSCROLLED;
  return (
    <div>
      <p class="muted small">{name}</p>
      <pre class="code" {...(mayScroll && { tabIndex: 0, role: 'group', 'aria-label': name })}>
        <PlainText text={text} />
      </pre>
    </div>
  );
}
