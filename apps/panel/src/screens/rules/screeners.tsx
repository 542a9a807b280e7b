import { CountLink } from '../../ui/count-link.js';
import { PlainText } from '../../ui/plain-text.js';
import { ModeStatus } from '../../ui/status.js';
import { ModeChange } from './mode-change.js';
import { hitsOf, Precision, type Reading } from './rules.js';

const ABOUT = {
  built_in:
    'A small linear model. It judges whole English and German texts, and blocks only if its mode is enforce.',
  host: 'A screener of the application.',
} as const;

/** The checks that run beside the rules: the classifier, and the screeners of the host. */
export function Screeners({
  reading,
  onChanged,
}: {
  readonly reading: Reading;
  readonly onChanged: () => void;
}) {
  return (
    <section class="stack-s">
      <h2>Screeners beside the rules</h2>
      <div class="table-scroll">
        <table class="rules-table">
          <thead>
            <tr>
              <th>Screener</th>
              <th>Mode</th>
              <th class="number">Matched, 24 h</th>
              <th class="number">Precision</th>
            </tr>
          </thead>
          <tbody>
            {reading.screeners.map((screener) => {
              const { id, source, mode, hits_24h: hits, reviews } = screener;
              return (
                <tr key={id}>
                  <td>
                    <span class="mono break">
                      <PlainText text={id} />
                    </span>
                    <p class="muted small">{ABOUT[source]}</p>
                    <details>
                      <summary>Change its mode</summary>
                      <ModeChange changed={{ id, mode, noun: 'screener' }} onChanged={onChanged} />
                    </details>
                  </td>
                  <td data-label="Mode">
                    <ModeStatus mode={mode} />
                  </td>
                  <td class="number" data-label="Matched, 24 h">
                    <CountLink value={hits} to={hitsOf(screener, reading)} />
                  </td>
                  <td class="number" data-label="Precision">
                    <Precision reviews={reviews} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {reading.retired.length > 0 && (
        <p class="muted small">
          Retired rules that settings or reviews still name, without effect:{' '}
          <PlainText text={reading.retired.map(({ id }) => id).join(', ')} />
        </p>
      )}
    </section>
  );
}
