import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { PlainText } from '../../ui/plain-text.js';
import { Loaded } from '../../ui/states.js';
import { linesOf } from '../approvals/arguments.js';

/** The arguments of a rejected call, with each fault at its argument. */
export function RejectedCall({
  id,
  violations,
}: {
  readonly id: number;
  readonly violations: Readonly<Record<string, string>>;
}) {
  const entry = useResource(`rejected ${id}`, async (signal) => {
    const { data } = await client.call('audit.show', { params: { id }, signal });
    return data.entry;
  });
  return (
    <Loaded resource={entry} lines={5}>
      {({ prompt, prompt_storage: storage }) => (
        <FaultyArguments text={prompt} storage={storage} violations={violations} />
      )}
    </Loaded>
  );
}

/** Arguments as JSON, with each fault at its argument. */
export function FaultyArguments({
  text,
  storage,
  violations,
}: {
  readonly text: string;
  readonly storage: string;
  readonly violations: Readonly<Record<string, string>>;
}) {
  if (storage === 'hash' || storage === 'erased')
    return (
      <>
        <p class="muted">The arguments were not stored ({storage}).</p>
        <Reasons violations={Object.entries(violations)} />
      </>
    );
  const value = parsed(text);
  if (value === undefined)
    return (
      <pre class="code">
        <PlainText text={text} />
      </pre>
    );
  const lines = linesOf(value, '', '', '', '');
  const reasons = new Map(Object.entries(violations).map(([name, reason]) => [pointerOf(name), reason]));
  const seen = new Set<string>();
  const paths = new Set(lines.map(({ path }) => path));
  const absent = Object.entries(violations).filter(([name]) => !paths.has(pointerOf(name)));
  return (
    <>
      <pre class="code arguments" tabIndex={0} aria-label="Arguments">
        {lines.map(({ path, head, value: shown, end }) => {
          const reason = seen.has(path) ? undefined : reasons.get(path);
          seen.add(path);
          return (
            <span class={`line${reason === undefined ? '' : ' fault'}`}>
              <PlainText text={head + shown + end} />
              {reason !== undefined && (
                <strong class="blocked">
                  {'  '}◼ <PlainText text={reason} />
                </strong>
              )}
            </span>
          );
        })}
      </pre>
      <Reasons violations={absent} />
    </>
  );
}

/** Faults without an argument that can be shown, such as a missing one. */
function Reasons({
  violations,
}: {
  readonly violations: readonly (readonly [name: string, reason: string])[];
}) {
  if (violations.length === 0) return null;
  return (
    <ul class="findings">
      {violations.map(([name, reason]) => (
        <li key={name}>
          <code>
            <PlainText text={name} />
          </code>{' '}
          <PlainText text={reason} />
        </li>
      ))}
    </ul>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A fault names its place as `items.0.price`, a line as `/items/0/price`. */
function pointerOf(name: string): string {
  return name.startsWith('/') ? name : `/${name.replaceAll('.', '/')}`;
}
