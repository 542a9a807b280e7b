import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLiveReload } from './live.js';
import { noteFailure, reconnects, signIns } from './session.js';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: number | null;
  /** The server stopped early: the page may be short although more rows follow. */
  readonly isPartial?: boolean | undefined;
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
  /** Puts rows that arrived later before the others. */
  readonly prepend: (items: readonly Item[]) => void;
}

interface State<Item> {
  readonly key: string;
  readonly items: readonly Item[];
  readonly next: number | null;
  readonly isPartial: boolean;
  readonly isFirst: boolean;
  readonly state: Pages<Item>['state'];
  readonly error?: Error;
}

const initial = <Item>(key: string): State<Item> => ({
  key,
  items: [],
  next: null,
  isPartial: false,
  isFirst: true,
  state: 'loading',
});

/** Reads the first page when `key` changes, and another one at each call of `more`. */
export function usePages<Item>(
  key: string,
  load: (cursor: number | undefined, signal: AbortSignal) => Promise<Page<Item>>,
): Pages<Item> {
  const [state, setState] = useState<State<Item>>(() => initial(key));
  const [round, setRound] = useState(0);
  const loader = useRef(load);
  loader.current = load;
  const abort = useRef(new AbortController());
  const isBusy = useRef(false);
  const shown = useRef(state);
  shown.current = state;

  const read = useCallback(
    (before: State<Item>, cursor: number | undefined) => {
      const { signal } = abort.current;
      isBusy.current = true;
      setState({ ...before, state: 'loading' });
      void (async () => {
        try {
          const { items, next, isPartial = false } = await loader.current(cursor, signal);
          if (signal.aborted) return;
          setState((now) => ({
            key,
            items: [...(cursor === undefined ? [] : now.items), ...items],
            next,
            isPartial,
            isFirst: cursor === undefined,
            state: next === null ? 'end' : 'more',
          }));
        } catch (error) {
          if (signal.aborted) return;
          noteFailure(error);
          setState((now) => ({ ...now, state: 'failed', error: error as Error }));
        }
        isBusy.current = false;
      })();
    },
    [key],
  );

  useLayoutEffect(() => {
    abort.current = new AbortController();
    read(shown.current.key === key ? shown.current : initial(key), undefined);
    return () => abort.current.abort();
  }, [key, round, signIns.value]);

  const current = state.key === key ? state : initial<Item>(key);
  const more = useCallback(() => {
    if (isBusy.current || current.state === 'end') return;
    if (current.next === null) setRound((count) => count + 1);
    else read(current, current.next);
  }, [current, read]);

  useEffect(() => {
    if (shown.current.state === 'failed') more();
  }, [reconnects.value]);

  return {
    items: current.items,
    state: current.state,
    searchedTo: current.isPartial ? current.next : null,
    error: current.error,
    isFirst: current.isFirst,
    more,
    reload: useCallback(() => setRound((count) => count + 1), []),
    prepend: useCallback(
      (items: readonly Item[]) => setState((now) => ({ ...now, items: [...items, ...now.items] })),
      [],
    ),
  };
}

/** Reads the first page again after events that concern the list, unless the operator reads further down. */
export function useLivePages<Item>(pages: Pages<Item>, concerns?: (name: string) => boolean): void {
  useLiveReload(() => pages.isFirst && pages.state !== 'loading' && pages.reload(), concerns);
}
