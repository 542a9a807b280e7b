/** The session of the operator: client, token, and what the caller may do. */
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, GuardrailsClient, type MeData, type RouteKey } from '#client/index.js';
import { setServerTime } from './clock.js';
import { API_URL, AUTH, LOGIN_URL } from './page.js';
import { keep, recall } from './storage.js';

const TOKEN_KEY = 'guardrails.token';

/** Only with `panel.auth: bearer`. It is stored outside the memory of this tab only if the operator requests it. */
const token = signal<string | null>(AUTH === 'bearer' ? recall('session', TOKEN_KEY) : null);

/** Set while the status of the API is 401: the session ended, or no token was entered. */
export const isSignedOut = signal(AUTH === 'bearer' && token.value === null);

/** Raised at each login, so that what failed with 401 is loaded again. */
export const signIns = signal(0);

/** Raised when the browser has a connection again, so that what failed without it is loaded again. */
export const reconnects = signal(0);
addEventListener('online', () => reconnects.value++);

export const client = new GuardrailsClient({
  url: API_URL,
  headers: (): Readonly<Record<string, string>> =>
    token.value === null ? {} : { authorization: `Bearer ${token.value}` },
  credentials: AUTH === 'session' ? 'same-origin' : 'omit',
});

export function signInWithToken(given: string, isKept: boolean): void {
  token.value = given;
  keep('session', TOKEN_KEY, isKept ? given : null);
  signedIn();
}

export function forgetToken(): void {
  token.value = null;
  keep('session', TOKEN_KEY, null);
  isSignedOut.value = true;
}

export function signedIn(): void {
  isSignedOut.value = false;
  signIns.value++;
}

/** Where to log in so that this page opens afterwards; `null` without `panel.login_url`. */
export function loginAddress(): string | null {
  if (LOGIN_URL === null) return null;
  const url = new URL(LOGIN_URL, location.origin);
  url.searchParams.set('return_to', location.pathname + location.search);
  return url.href;
}

/** Records an ended session. Every failed call of the panel is passed to this function. */
export function noteFailure(error: unknown): void {
  if (error instanceof ApiError && error.code === 'unauthenticated') isSignedOut.value = true;
}

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
