import type { AuditDetailData, TrySanitizeData } from '#client/index.js';
import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { Dialog } from '../../ui/dialog.js';
import { MarkedText } from '../../ui/marked-text.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty, Loaded } from '../../ui/states.js';
import { ModeStatus, OutcomeStatus } from '../../ui/status.js';
import { Time } from '../../ui/time.js';
import { labelOf } from './kinds.js';

type Entry = AuditDetailData['entry'];

/** One output with its recorded findings, and the findings of the current settings. */
export function OutputDrawer({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const resource = useResource<Entry>(`output ${id}`, async (signal) => {
    const { data } = await client.call('audit.show', { params: { id }, signal });
    return data.entry;
  });
  return (
    <Dialog kind="drawer" title={`Output ${id}`} onClose={onClose}>
      <Loaded resource={resource} lines={12}>
        {(entry) => (
          <div class="stack">
            <p class="row">
              <OutcomeStatus entry={entry} />
              <ModeStatus mode={entry.mode} />
              <Time at={entry.occurred_at} isAlone />
              <a href={href(`/audit/${id}`, { control: 'output_handler' })}>Entry in the audit</a>
            </p>
            <Then entry={entry} />
            <Today entry={entry} />
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

const STORED: Readonly<Record<Entry['prompt_storage'], string>> = {
  raw: 'The text as the model wrote it.',
  redact: 'Storage replaced personal data and secrets before it kept the text.',
  truncate: 'Storage kept only the beginning of the text.',
  hash: 'Storage kept only a digest of the text.',
  erased: 'The text was erased.',
};

function Then({ entry }: { readonly entry: Entry }) {
  const { findings, finding_count: total, prompt, prompt_storage: storage } = entry;
  const hasText = storage !== 'hash' && storage !== 'erased';
  const placed = findings.flatMap(({ kind, detector, span }) =>
    span === null ? [] : [{ span, label: `${labelOf(kind)}: ${detector}` }],
  );
  const others = findings.filter(({ span }) => span === null);
  return (
    <section class="stack-s">
      <h3>Then</h3>
      <div class="before-after">
        <div class="stack-s">
          <h4>Stored text, with what was found</h4>
          <p class="muted small">{STORED[storage]}</p>
          {hasText && <MarkedText text={prompt} marks={placed} />}
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
              Not in the stored text:{' '}
              <PlainText
                text={others.map(({ kind, detector }) => `${labelOf(kind)}: ${detector}`).join(', ')}
              />
            </p>
          )}
          {total > findings.length && <p class="muted">The record keeps {findings.length} of them.</p>}
        </div>
      </div>
    </section>
  );
}

function Today({ entry }: { readonly entry: Entry }) {
  const { prompt, prompt_storage: storage } = entry;
  const hasText = storage !== 'hash' && storage !== 'erased';
  return (
    <section class="stack-s">
      <h3>With today's rules</h3>
      {hasText ? (
        <Sanitized text={prompt} rendering={entry.rendering} />
      ) : (
        <Empty title="The stored text is needed for this.">{STORED[storage]}</Empty>
      )}
    </section>
  );
}

function Sanitized({ text, rendering }: { readonly text: string; readonly rendering: Entry['rendering'] }) {
  const tried = useResource<TrySanitizeData>(`sanitize ${rendering ?? ''} ${text}`, async (signal) => {
    const { data } = await client.call('try.sanitize', { body: { text, rendering }, signal });
    return data;
  });
  return (
    <Loaded resource={tried} lines={5}>
      {({ findings, sanitized }) => {
        const labels = findings.map(({ kind, detector }) => `${labelOf(kind)}: ${detector}`);
        return (
          <>
            <div class="before-after">
              <div class="stack-s">
                <h4>Before: the stored text</h4>
                <MarkedText
                  text={text}
                  marks={findings.map(({ span }, index) => ({ span, label: labels[index] ?? '' }))}
                />
              </div>
              <div class="stack-s">
                <h4>After</h4>
                <MarkedText
                  text={sanitized}
                  marks={findings.map(({ output_span: span }, index) => ({
                    span,
                    label: labels[index] ?? '',
                  }))}
                />
              </div>
            </div>
            {findings.length === 0 ? (
              <p class="muted">Nothing is found in the stored text.</p>
            ) : (
              <ol>
                {labels.map((label, index) => (
                  <li key={index}>
                    <PlainText text={label} />
                    {isEmpty(findings[index]?.output_span) && <span class="muted">, removed</span>}
                  </li>
                ))}
              </ol>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function isEmpty(span: readonly [number, number] | undefined): boolean {
  return span !== undefined && span[0] === span[1];
}
