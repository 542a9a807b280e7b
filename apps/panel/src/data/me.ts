import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { MeData, RouteKey } from '#client/index.js';
import { setServerTime } from './clock.js';
import { client, noteFailure, signIns } from './session.js';

/** What the caller may do on a route. `reason` is a sentence where it is refused. */
export interface May {
  readonly isAllowed: boolean;
  readonly reason: string | null;
}

/** `undefined` while it is loading, `null` where it failed. */
const me = signal<MeData | null | undefined>(undefined);
/** The id that the server derives for the caller; `null` while it is unknown. */
export const actor = computed(() => me.value?.actor ?? null);

let reading: Promise<MeData> | undefined;
let readFor = -1;

/** Not allowed while the rights are loading. Allowed where they cannot be read, because the server checks each call. */
export function useMay(route: RouteKey): May {
  useEffect(load, [signIns.value]);
  if (me.value === undefined) return { isAllowed: false, reason: null };
  if (me.value === null) return { isAllowed: true, reason: null };
  const { actor: name, permissions } = me.value;
  if (permissions[`guardrails.api.${route}`] === false)
    return {
      isAllowed: false,
      reason: `Your account (${name ?? 'unknown'}) may read this, but not change it.`,
    };
  return name === null
    ? { isAllowed: false, reason: 'The server cannot identify you, so it would refuse the change.' }
    : { isAllowed: true, reason: null };
}

/** The caller and its rights. They are read once for each login. */
export function readMe(): Promise<MeData> {
  if (reading === undefined || readFor !== signIns.peek()) {
    readFor = signIns.peek();
    reading = client.call('me').then(({ data }) => {
      setServerTime(data.now);
      me.value = data;
      return data;
    });
  }
  return reading;
}

function load(): void {
  readMe().catch((error: unknown) => {
    me.value = null;
    noteFailure(error);
  });
}
