import { useEffect, useState } from 'preact/hooks';
import { T } from '../texts.ts';

/** Says on every page that the browser is offline, and that what is shown may be old. */
export function Offline() {
  const [isOff, setOff] = useState(() => !navigator.onLine);
  useEffect(() => {
    const look = (): void => setOff(!navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  // The place is there before its text, so that a screen reader says the text when it comes.
  return (
    <div role="status" class="site">
      {isOff && (
        <p class="failure site">
          <strong>{T.offline}</strong> {T.offlineWhy}
        </p>
      )}
    </div>
  );
}
