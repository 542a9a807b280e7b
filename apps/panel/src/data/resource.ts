import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { noteFailure, reconnects, signIns } from './session.js';

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
    const end = (): void => {
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
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: !isCurrent || state.isLoading,
    reload,
  };
}
