import { useRef } from 'preact/hooks';
import { ApiError, type FieldErrors, type SettingsPreviewData } from '#client/index.js';
import { useResource, type Resource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { pause } from './pause.js';
import type { Loaded, Values } from './settings-data.js';

const NOTHING: SettingsPreviewData = { changes: [], warnings: [], superseded: { count: 0, approvals: [] } };

export interface Preview extends Resource<SettingsPreviewData> {
  /** What the server refuses, by key. Errors stay until the next answer. */
  readonly errors: FieldErrors;
}

/** What the server answers to the changes of the draft, a moment after the last one. */
export function usePreview(loaded: Loaded, changes: Values): Preview {
  const last = useRef<FieldErrors>({});
  const isEmpty = Object.keys(changes).length === 0;
  const resource = useResource(JSON.stringify([loaded.etag, changes]), async (signal) => {
    if (isEmpty) return NOTHING;
    await pause(signal);
    return (await client.call('settings.preview', { body: { settings: changes }, signal })).data;
  });
  if (!resource.isLoading || isEmpty)
    last.current = resource.error instanceof ApiError ? resource.error.fields : {};
  return { ...resource, errors: last.current };
}
