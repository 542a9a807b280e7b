import type { AuditDetailData } from '#client/index.js';
import { useResource, type Resource } from '../../data/resource.js';
import { client } from '../../data/session.js';

export type Entry = AuditDetailData['entry'];

export function useEntry(id: number): Resource<Entry> {
  return useResource<Entry>(`entry ${id}`, (signal) => loadEntry(id, signal));
}

export async function loadEntry(id: number, signal?: AbortSignal): Promise<Entry> {
  const { data } = await client.call('audit.show', { params: { id }, signal });
  return data.entry;
}
