/** Values of settings, and the tabs: what the settings and their history share. */
import { href } from '../../data/page.js';
import { Tabs } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { wordOf } from './sentences.js';

export function SettingsTabs({ isHistory }: { readonly isHistory: boolean }) {
  return (
    <Tabs
      label="Settings"
      tabs={[
        [href('/settings'), 'Settings', !isHistory],
        [href('/settings/history'), 'History', isHistory],
      ]}
    />
  );
}

type Named = readonly [name: string, value: unknown];

const LONGEST_WORD = 40;
/** A longer value may scroll, and then the keyboard has to reach it. */
const LONGEST_UNSCROLLED = 240;
const MOST_LINES_UNSCROLLED = 8;

/** The two values of a change: in one line where both are short, else side by side. */
export function ChangedValue({ sides }: { readonly sides: readonly [before: Named, after: Named] }) {
  const isShort = (text: string): boolean => text.length <= LONGEST_WORD && !text.includes('\n');
  if (!sides.every(([, value]) => isShort(wordOf(value)))) return <SideBySide sides={sides} />;
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

export function SideBySide({ sides }: { readonly sides: readonly Named[] }) {
  return (
    <div class="difference">
      {sides.map(([name, value]) => {
        const text = wordOf(value);
        const mayScroll = text.length > LONGEST_UNSCROLLED || text.split('\n').length > MOST_LINES_UNSCROLLED;
        return (
          <div key={name}>
            <p class="muted small">{name}</p>
            <pre class="code" {...(mayScroll && { tabIndex: 0, role: 'group', 'aria-label': name })}>
              <PlainText text={text} />
            </pre>
          </div>
        );
      })}
    </div>
  );
}
