import { useState } from 'preact/hooks';
import { ApiError, type TryScreenData } from '#client/index.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { PlainText } from '../../ui/plain-text.js';
import { Status } from '../../ui/status.js';
import { FailureBox } from './failure-box.js';
import { pause } from './pause.js';
import type { Values } from './settings-data.js';

/** Screens a text with settings that are not saved. */
export function TextTrial({ candidate }: { readonly candidate: Values }) {
  const [prompt, setPrompt] = useState('');
  return (
    <div class="stack-s sunken">
      <label class="field">
        Text
        <textarea
          rows={3}
          value={prompt}
          placeholder="Type a prompt that should match, or should not."
          onInput={({ currentTarget }) => setPrompt(currentTarget.value)}
        />
      </label>
      <CandidateVerdict prompt={prompt} candidate={candidate} />
    </div>
  );
}

/** Where a text comes from, as `POST /try/screen` takes it. */
export interface TextSource {
  readonly application?: string;
  readonly origin?: 'document' | 'tool_result';
}

/** The verdict on a prompt with settings that are not saved. */
export function CandidateVerdict({
  prompt,
  candidate,
  source = {},
}: {
  readonly prompt: string;
  readonly candidate: Values;
  readonly source?: TextSource;
}) {
  const { data, error, isLoading, reload } = useResource(
    JSON.stringify([prompt, candidate, source]),
    async (signal) => {
      if (prompt === '') return null;
      await pause(signal);
      const body = { prompt, candidate, ...source };
      return (await client.call('try.screen', { body, signal })).data;
    },
  );
  return (
    <>
      {error !== undefined &&
        (isInvalid(error) ? (
          <p class="muted">Correct the entries above first.</p>
        ) : (
          <FailureBox error={error} retry={reload} />
        ))}
      <div role="status">
        {isLoading && prompt !== '' && <p class="muted">Screening …</p>}
        {data !== undefined && data !== null && <Verdict screened={data} />}
      </div>
    </>
  );
}

function isInvalid(error: Error): boolean {
  return error instanceof ApiError && error.code === 'invalid_settings';
}

function Verdict({ screened }: { readonly screened: TryScreenData }) {
  const { blocked, matched_rules: matched } = screened;
  if (matched.length === 0)
    return (
      <p>
        <Status tone={blocked ? 'blocked' : 'quiet'}>
          {blocked ? 'could not be judged, so it counts as a match' : 'no rule matches'}
        </Status>
      </p>
    );
  return (
    <ul class="stack-s">
      {matched.map(({ rule_id: rule, text }, index) => (
        <li class="row break" key={index}>
          <Status tone="blocked">matches</Status>
          <code>
            <PlainText text={rule} />
          </code>
          <q>
            <PlainText text={text} />
          </q>
        </li>
      ))}
    </ul>
  );
}
