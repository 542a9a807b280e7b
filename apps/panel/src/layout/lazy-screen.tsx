import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { ConnectionError } from '#client/index.js';
import { Screen } from '../ui/screen.js';
import { ErrorBox } from '../ui/states.js';

type Load = () => Promise<{ readonly default: ComponentType }>;

/** A screen in a file of its own. Where the file cannot be loaded, the error is shown, with another attempt. */
export function lazyScreen(load: Load) {
  return lazy(() => load().catch((error: Error) => ({ default: loadedLater(load, error) })));
}

function loadedLater(load: Load, first: Error): ComponentType {
  let Loaded: ComponentType | undefined;
  return function LoadedLater() {
    const [error, setError] = useState(first);
    const [, setLoaded] = useState(false);
    const retry = async (): Promise<void> => {
      try {
        Loaded = (await load()).default;
        setLoaded(true);
      } catch (failure) {
        setError(failure as Error);
      }
    };
    useEffect(() => {
      const onOnline = (): void => void retry();
      addEventListener('online', onOnline);
      return () => removeEventListener('online', onOnline);
    }, []);
    if (Loaded !== undefined) return <Loaded />;
    return (
      <Screen title="This screen was not loaded">
        <ErrorBox
          error={navigator.onLine ? new Error(NOT_LOADED) : new ConnectionError(error.message)}
          retry={() => void retry()}
        />
      </Screen>
    );
  };
}

const NOT_LOADED = 'A file of this screen cannot be loaded. The panel may have been updated on the server.';
