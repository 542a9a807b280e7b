/** How screens read from the API and write to it: one resource, a list page by page, a trial of a typed text, a write. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  ApiError,
  type CallArguments,
  type CallKey,
  type CallRequest,
  type FieldErrors,
  type PageKey,
  type RouteData,
  type RuleListData,
} from '#client/index.js';
import { useLiveReload } from './live.js';
import { client, noteFailure, reconnects, signIns } from './session.js';

/** Data of the server that a screen shows. Earlier data stays while newer data is loaded. */
export interface Resource<Data> {
  readonly data: Data | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Loads data when `key` changes, at each login, with a new connection and on `reload`. A change aborts the load before it. A reload waits for
 * the one that runs, so that many reloads on a slow connection do not abort each other.
 */
export function useResource<Data>(key: string, load: (signal: AbortSignal) => Promise<Data>): Resource<Data> {
  const [state, setState] = useState<{ key: string; data?: Data; error?: Error; isLoading: boolean }>({
    key,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const loader = useRef(load);
  loader.current = load;
  const isRunning = useRef(false);
  const isDue = useRef(false);

  // This runs before the paint, so that the first one has the data that the page has loaded already.
  useLayoutEffect(() => {
    const abort = new AbortController();
    isRunning.current = true;
    isDue.current = false;
    const end = () => {
      if (abort.signal.aborted) return;
      isRunning.current = false;
      if (isDue.current) setRound((count) => count + 1);
    };
    setState((before) => ({ ...(before.key === key ? before : { key }), isLoading: true }));
    loader
      .current(abort.signal)
      .then(
        (data) => !abort.signal.aborted && setState({ key, data, isLoading: false }),
        (error: Error) => {
          if (abort.signal.aborted) return;
          noteFailure(error);
          setState((before) => ({ ...(before.key === key ? before : { key }), error, isLoading: false }));
        },
      )
      .finally(end);
    return () => abort.abort();
  }, [key, round, signIns.value, reconnects.value]);

  const reload = useCallback(() => {
    if (isRunning.current) isDue.current = true;
    else setRound((count) => count + 1);
  }, []);
  if (state.key !== key) return { data: undefined, error: undefined, isLoading: true, reload };
  return { data: state.data, error: state.error, isLoading: state.isLoading, reload };
}

/** What a route answers to a request. */
export function useAnswer<Key extends CallKey>(
  route: Key,
  ...[request]: CallArguments<Key>
): Resource<RouteData<Key>> {
  return useResource(JSON.stringify([route, request]), (signal) => answerOf(route, request, { signal }));
}

async function answerOf<Key extends CallKey>(
  route: Key,
  request: object | undefined,
  more: object,
): Promise<RouteData<Key>> {
  const whole = [{ ...request, ...more }] as unknown as CallArguments<Key>;
  return (await client.call(route, ...whole)).data;
}

const PAUSE_MS = 300;

/** Resolves a moment after the last key, so that not every key is a request. */
export function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('The text was changed again.', 'AbortError'));
    });
  });
}

/**
 * What the API says about a text, a moment after it was typed. The last answer stays while a newer text is judged, so
 * that the page does not flicker while one types.
 */
export function useTrial<Data>(
  text: string,
  options: unknown,
  judge: (signal: AbortSignal) => Promise<Data>,
) {
  const resource = useResource(JSON.stringify([text, options]), async (signal) => {
    if (text === '') return null;
    await pause(signal);
    return { text, data: await judge(signal) };
  });
  const last = useRef<{ readonly text: string; readonly data: Data } | null>(null);
  if (!resource.isLoading) last.current = resource.data ?? null;
  return { answer: text === '' ? null : last.current, error: resource.error, retry: resource.reload };
}

/** A list that is read page by page from the newest row. */
export interface Pages<Item> {
  readonly items: readonly Item[];
  readonly state: 'loading' | 'more' | 'end' | 'failed';
  /** The search covered rows down to this cursor and found too few; the next page continues there. */
  readonly searchedTo: number | null;
  readonly error: Error | undefined;
  readonly more: () => void;
  /** Reads the first page again. The rows stay until it is there. */
  readonly reload: () => void;
  /** No further page than the first was read. */
  readonly isFirst: boolean;
}

interface State<Item> extends Pick<Pages<Item>, 'items' | 'state' | 'searchedTo' | 'isFirst'> {
  readonly key: string;
  readonly next: number | null;
  readonly error?: Error;
}

const initial = <Item>(key: string): State<Item> => ({
  key,
  items: [],
  next: null,
  searchedTo: null,
  isFirst: true,
  state: 'loading',
});

/** What follows a page: the next one, or nothing. */
function placeIn(page: object): Pick<State<never>, 'next' | 'searchedTo' | 'state'> {
  const { next_cursor: next = null, partial } = page as { next_cursor?: number | null; partial?: true };
  return { next, searchedTo: partial === true ? next : null, state: next === null ? 'end' : 'more' };
}

/** Reads the first page of a route when the request or `round` changes, and another one at each call of `more`. */
export function useList<Key extends PageKey, Item>(
  route: Key,
  request: CallRequest<Key>,
  itemsOf: (data: RouteData<Key>, cursor: number | undefined) => readonly Item[],
  round = 0,
): Pages<Item> {
  const key = JSON.stringify([route, request, round]);
  const [state, setState] = useState<State<Item>>(() => initial(key));
  const [reloads, setReloads] = useState(0);
  const abort = useRef(new AbortController());
  const isBusy = useRef(false);
  const shown = useRef(state);
  shown.current = state;

  const read = useCallback(
    async (before: State<Item>, cursor?: number) => {
      const { signal } = abort.current;
      isBusy.current = true;
      setState({ ...before, state: 'loading' });
      try {
        const data = await answerOf(route, request, { query: { ...request.query, cursor }, signal });
        if (signal.aborted) return;
        const items = itemsOf(data, cursor);
        setState(({ items: earlier }) => ({
          ...initial<Item>(key),
          ...placeIn(data),
          items: cursor === undefined ? items : [...earlier, ...items],
          isFirst: cursor === undefined,
        }));
      } catch (error) {
        if (signal.aborted) return;
        noteFailure(error);
        setState((now) => ({ ...now, state: 'failed', error: error as Error }));
      }
      isBusy.current = false;
    },
    [key],
  );

  useLayoutEffect(() => {
    abort.current = new AbortController();
    void read(shown.current.key === key ? shown.current : initial(key));
    return () => abort.current.abort();
  }, [key, reloads, signIns.value]);

  const reload = useCallback(() => setReloads((count) => count + 1), []);
  const { next, ...current } = state.key === key ? state : initial<Item>(key);
  const more = () => {
    if (isBusy.current || current.state === 'end') return;
    if (next === null) reload();
    else void read(shown.current, next);
  };
  useEffect(() => {
    if (shown.current.state === 'failed') more();
  }, [reconnects.value]);
  return { ...current, error: current.error, more, reload };
}

/** Reads the first page again after events that concern the list, unless the operator reads further down. */
export function useLivePages<Item>(pages: Pages<Item>, concerns?: (name: string) => boolean): void {
  useLiveReload(() => pages.isFirst && pages.state !== 'loading' && pages.reload(), concerns);
}

/** One write at a time of a form or a button: whether it is being sent, and its error. */
export function useWrite() {
  const [error, setError] = useState<Error>();
  const [isSending, send] = useState(false);
  const fields: FieldErrors = error instanceof ApiError ? error.fields : {};
  const write = async (action: () => Promise<void>) => {
    send(true);
    setError(undefined);
    try {
      await action();
    } catch (failure) {
      noteFailure(failure);
      setError(failure as Error);
    }
    send(false);
  };
  return { error, fields, isSending, setError, write };
}

/** Runs `read` again and again while there were calls during a run: one run at a time, so that answers keep their order. */
export function inTurn(read: () => Promise<unknown>): () => void {
  let isReading = false;
  let isDue = false;
  return () => {
    isDue = true;
    if (isReading) return;
    isReading = true;
    void (async () => {
      while (isDue) {
        isDue = false;
        await read();
      }
      isReading = false;
    })();
  };
}

/** The largest page. The server preloads the first one with the screen of the rules. */
const PAGE_SIZE = 200;

/** All rules, without patterns and examples. The first page tells their number, so that the others are read at once. */
export async function readRules(signal?: AbortSignal): Promise<RuleListData> {
  const read = async (cursor?: number): Promise<RuleListData> => {
    const query = { fields: 'summary', limit: PAGE_SIZE, cursor };
    return (await client.call('rules.index', { query, signal })).data;
  };
  const first = await read();
  const count = Math.max(0, Math.ceil(first.total / PAGE_SIZE) - 1);
  const others = Array.from({ length: count }, (_, index) => read((index + 1) * PAGE_SIZE));
  const pages = [first, ...(await Promise.all(others))];
  return {
    ...first,
    rules: pages.flatMap(({ rules }) => rules),
    groups: pages.flatMap(({ groups }) => groups),
  };
}
