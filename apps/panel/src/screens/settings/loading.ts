import { useResource, type Resource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { loadedFrom, type Loaded } from './settings-data.js';

export function useSettings(): Resource<Loaded> {
  return useResource('settings', async (signal) => {
    const { data, etag } = await client.call('settings.show', { signal });
    return loadedFrom(data, etag);
  });
}
