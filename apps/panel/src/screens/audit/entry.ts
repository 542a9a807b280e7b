import type { AuditDetailData } from '#client/index.js';
import { useResource, type Resource } from '../../data/resource.js';
import { client } from '../../data/session.js';

export type Entry = AuditDetailData['entry'];

/** An entry that was read in advance, until a screen takes it. */
let ahead: { readonly id: number; readonly reading: Promise<Entry> } | null = null;

/** Reads the entry that is probably opened next. */
export function readAhead(id: number): void {
  if (ahead?.id === id) return;
  const reading = loadEntry(id);
  // The screen that takes it handles the failure.
  reading.catch(() => undefined);
  ahead = { id, reading };
}

export function useEntry(id: number): Resource<Entry> {
  return useResource<Entry>(`entry ${id}`, (signal) => {
    const early = ahead;
    if (early?.id !== id) return loadEntry(id, signal);
    ahead = null;
    return early.reading;
  });
}

async function loadEntry(id: number, signal?: AbortSignal): Promise<Entry> {
  const { data } = await client.call('audit.show', { params: { id }, signal });
  return data.entry;
}
