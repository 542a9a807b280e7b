import type { AuditEntryData } from '#client/index.js';
import { href } from '../../data/page.js';
import { useAnswer } from '../../data/requests.js';
import { plural } from '../../text/format.js';
import { Dialog } from '../../ui/dialog.js';
import { MarkedText } from '../../ui/marked-text.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty, Loaded } from '../../ui/screen.js';
import { ModeStatus, OutcomeStatus, Time } from '../../ui/values.js';
import { hasText, STORAGE } from '../audit/sentences.js';
import { BeforeAfter, findingLabel } from './kinds.js';

interface OfEntry {
  readonly entry: AuditEntryData;
}

/** One output with its recorded findings, and the findings of the current settings. */
export function OutputDrawer({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  return (
    <Dialog kind="drawer" title={`Output ${id}`} onClose={onClose}>
      <Loaded resource={useAnswer('audit.show', { params: { id } })} lines={12}>
        {({ entry }) => (
          <div class="stack">
            <p class="row">
              <OutcomeStatus entry={entry} />
              <ModeStatus mode={entry.mode} />
              <Time at={entry.occurred_at} isAlone />
              <a href={href(`/audit/${id}`, { control: 'output_handler' })}>Entry in the audit</a>
            </p>
            <Then entry={entry} />
            <section class="stack-s">
              <h3>With today's rules</h3>
              {hasText(entry) ? (
                <Today entry={entry} />
              ) : (
                <Empty title="The stored text is needed for this.">{STORAGE[entry.prompt_storage]}</Empty>
              )}
            </section>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

function Then({ entry }: OfEntry) {
  const { findings, finding_count: total } = entry;
  const placed = findings.flatMap((finding) =>
    finding.span === null ? [] : [{ span: finding.span, label: findingLabel(finding) }],
  );
  const others = findings.filter(({ span }) => span === null);
  return (
    <section class="stack-s">
      <h3>Then</h3>
      <div class="before-after">
        <div class="stack-s">
          <h4>Stored text, with what was found</h4>
          <p class="muted small">{STORAGE[entry.prompt_storage]}</p>
          {hasText(entry) && <MarkedText text={entry.prompt} marks={placed} />}
        </div>
        <div class="stack-s">
          <h4>
            {plural(total, 'finding')} {entry.mode === 'enforce' ? 'removed or replaced' : 'only recorded'}
          </h4>
          <ol>
            {placed.map(({ label }, index) => (
              <li key={index}>
                <PlainText text={label} />
              </li>
            ))}
          </ol>
          {others.length > 0 && (
            <p class="muted">
              Not in the stored text: <PlainText text={others.map(findingLabel).join(', ')} />
            </p>
          )}
          {total > findings.length && <p class="muted">The record keeps {findings.length} of them.</p>}
        </div>
      </div>
    </section>
  );
}

function Today({ entry: { prompt: text, rendering } }: OfEntry) {
  return (
    <Loaded resource={useAnswer('try.sanitize', { body: { text, rendering } })} lines={5}>
      {(data) => (
        <>
          <BeforeAfter text={text} data={data} heads={['Before: the stored text', 'After']} />
          {data.findings.length === 0 ? (
            <p class="muted">Nothing is found in the stored text.</p>
          ) : (
            <ol>
              {data.findings.map((finding, index) => (
                <li key={index}>
                  <PlainText text={findingLabel(finding)} />
                  {finding.output_span[0] === finding.output_span[1] && <span class="muted">, removed</span>}
                </li>
              ))}
            </ol>
          )}
        </>
      )}
    </Loaded>
  );
}
