/** The live stream of events: one tab of a browser holds it and passes events to the others. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, type EventData } from '#client/index.js';
import { API_URL, POSITION } from './page.js';
import { client, isSignedOut, noteFailure, readMe } from './session.js';

/**
 * `live`: events arrive. `retrying`: the stream broke. `polling`: the server has no stream for this page, so screens
 * read every 15 s. `paused`: the page had no input for 30 minutes.
 */
type LiveState = 'connecting' | 'live' | 'retrying' | 'polling' | 'paused';

export const liveState = signal<LiveState>('connecting');

/** Whether the browser has no connection at all. */
export const isOffline = signal(!navigator.onLine);

/** When the stream broke, in milliseconds. */
export const brokenSince = signal<number | null>(null);

type Listener = (events: readonly EventData[]) => void;

const POLL_MS = 15_000;
const PAUSE_AFTER_MS = 30 * 60_000;
/** At most four paints a second, however many events arrive. */
const BATCH_MS = 250;
const MAX_BATCH = 1000;
const RELOAD_MS = 2000;

const listeners = new Set<Listener>();
const others = new BroadcastChannel(`guardrails ${API_URL}`);
/** `asks`: a new tab requests the state, which is otherwise sent only when it changes. */
type Message =
  | { readonly event: EventData }
  | { readonly state: LiveState; readonly since: number | null; readonly position: number | undefined }
  | { readonly asks: true };

let batch: EventData[] = [];
let batchTimer: ReturnType<typeof setTimeout> | undefined;
let pollTimer: ReturnType<typeof setInterval> | undefined;
let pauseTimer: ReturnType<typeof setTimeout> | undefined;
let running: AbortController | undefined;
let lastSequence: number | undefined = POSITION;
/** Ids of the newest events: a tab that takes the stream over may receive one again. */
const recent = new Set<string>();
let isOverflown = false;
let hasStarted = false;
/** Whether this tab holds the stream. */
let isHolder = false;

/** Calls `listen` with new events; with an empty list where events may have been missed, so that it reads again. */
export function useLive(listen: Listener): void {
  const latest = useRef(listen);
  latest.current = listen;
  useEffect(() => {
    const listener: Listener = (events) => latest.current(events);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}

/** Calls `reload` after events that concern the screen: at once, and then at most every two seconds. */
export function useLiveReload(reload: () => void, concerns: (name: string) => boolean = () => true): void {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const isDue = useRef(false);
  const latest = useRef(reload);
  latest.current = reload;
  const run = () => {
    isDue.current = false;
    latest.current();
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (isDue.current) run();
    }, RELOAD_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive((events) => {
    if (events.length > 0 && !events.some(({ name }) => concerns(name))) return;
    if (timer.current === undefined) run();
    else isDue.current = true;
  });
}

/**
 * Whether events arrived since this page was opened: data that was read before a screen listened may be out of date.
 */
export function haveEventsArrived(): boolean {
  return recent.size > 0;
}

/** Opens the stream of this browser: one tab holds it and passes events to the others. */
export function startLive(): void {
  if (hasStarted) return;
  hasStarted = true;
  others.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (running === undefined) return;
    if ('event' in data) receive(data.event);
    else if ('state' in data) follow(data.state, data.since, data.position);
    else if (isHolder) announce(liveState.value, brokenSince.value);
  });
  for (const change of ['online', 'offline']) addEventListener(change, noteConnection);
  for (const input of ['pointerdown', 'keydown']) addEventListener(input, noteInput, { passive: true });
  document.addEventListener(
    'visibilitychange',
    () => !document.hidden && pollTimer !== undefined && deliver([]),
  );
  isSignedOut.subscribe((isOut) => {
    if (!isOut) return resume();
    stop();
    return enter('connecting', null);
  });
  noteInput();
}

function resume(): void {
  if (running !== undefined || isSignedOut.peek()) return;
  running = new AbortController();
  share({ asks: true });
  const until = running.signal;
  // Without a secure context there are no locks, and each tab has its own stream.
  const held =
    navigator.locks?.request(`guardrails ${API_URL}`, { signal: until }, () => hold(until)) ?? hold(until);
  held.catch(() => undefined);
}

function stop(): void {
  running?.abort();
  running = undefined;
  clearInterval(pollTimer);
  pollTimer = undefined;
}

function noteConnection(): void {
  isOffline.value = !navigator.onLine;
  if (isOffline.value || running === undefined) return;
  // The earlier stream may be dead without notice, or wait between two attempts.
  stop();
  resume();
}

function noteInput(): void {
  clearTimeout(pauseTimer);
  pauseTimer = setTimeout(() => {
    stop();
    enter('paused', null);
  }, PAUSE_AFTER_MS);
  if (liveState.value === 'paused') {
    enter('connecting', null);
    resume();
    deliver([]);
  }
}

async function hold(until: AbortSignal): Promise<void> {
  let failures = 0;
  isHolder = true;
  try {
    if (await isStreamOff()) return await poll(until);
    const onState = (state: 'open' | 'retrying') => {
      failures = state === 'open' ? 0 : failures + 1;
      if (state === 'open') {
        announce('live', null);
        // A tab that takes over the stream without a position may have missed events.
        if (lastSequence === undefined) deliver([]);
      } else if (failures === 2) announce('retrying', Date.now());
    };
    const from = lastSequence === undefined ? {} : { after: lastSequence };
    for await (const event of client.events({ ...from, signal: until, onState })) {
      receive(event);
      // Without locks every tab has its own stream, and shares nothing.
      if (navigator.locks !== undefined) share({ event });
    }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') {
      // The stream is released, so that this or another tab opens it after the next login.
      if (!until.aborted) stop();
      noteFailure(error);
    } else await poll(until);
  } finally {
    isHolder = false;
  }
}

/** Without a stream. Keeps the other tabs from asking for one until this tab stops. */
async function poll(until: AbortSignal): Promise<void> {
  if (until.aborted) return;
  announce('polling', null);
  await new Promise((resolve) => until.addEventListener('abort', resolve));
}

/** Where this cannot be read, the stream itself is tried again until it opens. */
async function isStreamOff(): Promise<boolean> {
  try {
    return (await readMe()).live === 'off';
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') throw error;
    return false;
  }
}

function announce(state: LiveState, since: number | null): void {
  enter(state, since);
  share({ state, since, position: lastSequence });
}

/** The state of the tab that holds the stream. Events between the load of this page and that position are read. */
function follow(state: LiveState, since: number | null, position = lastSequence): void {
  enter(state, since);
  if (position === undefined || lastSequence === undefined || position <= lastSequence) return;
  lastSequence = position;
  deliver([]);
}

function share(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target origin
  others.postMessage(message);
}

function enter(state: LiveState, since: number | null): void {
  const wasBroken = liveState.value === 'retrying';
  liveState.value = state;
  brokenSince.value = since;
  clearInterval(pollTimer);
  pollTimer = undefined;
  // The break may have been longer than the server keeps events.
  if (wasBroken && state === 'live') deliver([]);
  if (state === 'polling') pollTimer = setInterval(() => !document.hidden && deliver([]), POLL_MS);
}

function receive(event: EventData): void {
  if (recent.has(event.id)) return;
  recent.add(event.id);
  if (recent.size > MAX_BATCH) recent.delete(recent.values().next().value ?? '');
  lastSequence = event.sequence;
  if (liveState.value !== 'live') enter('live', null);
  batch.push(event);
  if (batch.length > MAX_BATCH) {
    batch.shift();
    isOverflown = true;
  }
  batchTimer ??= setTimeout(() => {
    batchTimer = undefined;
    const events = batch;
    batch = [];
    deliver(events);
    if (isOverflown) deliver([]);
    isOverflown = false;
  }, BATCH_MS);
}

function deliver(events: readonly EventData[]): void {
  for (const listener of listeners) listener(events);
}
