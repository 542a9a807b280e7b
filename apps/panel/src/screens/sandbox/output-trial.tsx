import { useEffect } from 'preact/hooks';
import type { TrySanitizeData } from '#client/index.js';
import { client } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { byteSlices } from '../../text/spans.js';
import { announceState } from '../../ui/announcer.js';
import { MarkedText } from '../../ui/marked-text.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { labelOf } from '../output/kinds.js';
import { FailureBox } from '../settings/failure-box.js';
import { useTrial } from './trial.js';

type Rendering = 'any' | 'markdown' | 'text';

/** The result of the output handler for a text of the model. */
export function OutputTrial({
  text,
  rendering,
}: {
  readonly text: string;
  readonly rendering: string | undefined;
}) {
  const { answer, error, retry } = useTrial<TrySanitizeData>(text, rendering ?? '', async (given, signal) => {
    const { data } = await client.call('try.sanitize', {
      // The address may name a rendering that does not exist. The server refuses it.
      body: { text: given, ...(rendering !== undefined && { rendering: rendering as Rendering }) },
      signal,
    });
    return data;
  });
  if (error !== null) return <FailureBox error={error} retry={retry} />;
  if (answer === null)
    return (
      <Empty title="Type or paste an output of the model.">
        What the output handler finds in it and what a user would get appear here.
      </Empty>
    );
  return <Sanitized text={answer.text} data={answer.data} />;
}

function Sanitized({ text, data }: { readonly text: string; readonly data: TrySanitizeData }) {
  const { findings, sanitized, kinds } = data;
  const found = plural(findings.length, 'finding');
  const before = byteSlices(
    text,
    findings.map(({ span }) => span),
  );
  const after = byteSlices(
    sanitized,
    findings.map(({ output_span: span }) => span),
  );
  const label = ({ kind, detector }: (typeof findings)[number]): string => `${labelOf(kind)}: ${detector}`;
  useEffect(() => announceState(`${found}.`), [found]);
  return (
    <div class="stack">
      <section class="card">
        <p class="row">
          <Status tone={findings.length === 0 ? 'ok' : 'observed'}>{found}</Status>
          {Object.entries(kinds)
            .filter(([, count]) => count > 0)
            .map(([kind, count]) => (
              <span key={kind} class="tag observed">
                {labelOf(kind)} {count}
              </span>
            ))}
        </p>
        <div class="before-after">
          <div class="stack-s">
            <h2>As written</h2>
            <MarkedText
              text={text}
              marks={findings.map((finding) => ({ span: finding.span, label: label(finding) }))}
            />
          </div>
          <div class="stack-s">
            <h2>As the user gets it</h2>
            <MarkedText
              text={sanitized}
              marks={findings.map((finding) => ({ span: finding.output_span, label: label(finding) }))}
            />
          </div>
        </div>
      </section>
      {findings.length > 0 && (
        <section class="card">
          <h2>What was replaced</h2>
          <ol class="matches">
            {findings.map((finding, index) => (
              <li key={`${finding.detector} ${finding.span[0]}`}>
                <span class="number">{index + 1}</span>
                <div>
                  <p class="small muted">{label(finding)}</p>
                  <p class="joined">
                    <del>
                      <PlainText text={before[index] ?? ''} />
                    </del>
                    <span aria-label="became">→</span>
                    {after[index] === '' ? (
                      <span class="muted">removed</span>
                    ) : (
                      <ins>
                        <PlainText text={after[index] ?? ''} />
                      </ins>
                    )}
                  </p>
                </div>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}
