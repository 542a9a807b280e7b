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
    const retry = (): void => {
      load().then((file) => {
        Loaded = file.default;
        setLoaded(true);
      }, setError);
    };
    useEffect(() => {
      addEventListener('online', retry);
      return () => removeEventListener('online', retry);
    }, []);
    if (Loaded !== undefined) return <Loaded />;
    return (
      <Screen title="This screen was not loaded">
        <ErrorBox
          error={navigator.onLine ? new Error(NOT_LOADED) : new ConnectionError(error.message)}
          retry={retry}
        />
      </Screen>
    );
  };
}

const NOT_LOADED = 'A file of this screen cannot be loaded. The panel may have been updated on the server.';
