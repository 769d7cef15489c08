import { useEffect, useState } from 'preact/hooks';
import { HUB, ofHub } from '../hubAddress.ts';
import { watchHub, type Seen } from './watch.ts';

/** The one watch of this page, which runs while something shows its state. */
const listeners = new Set<(seen: Seen) => void>();
let seen: Seen = {};
let watch: ReturnType<typeof watchHub> | undefined;

export function useHubState(): Seen {
  const [now, setNow] = useState(seen);
  useEffect(() => {
    setNow(seen);
    listeners.add(setNow);
    if (watch === undefined) start();
    return () => void listeners.delete(setNow);
  }, []);
  return now;
}

function start(): void {
  watch = watchHub({
    ask: (signal) =>
      fetch(ofHub('/healthz'), {
        headers: { accept: 'application/json' },
        cache: 'no-store',
        signal,
      }),
    isOld,
    isSeen: () => document.visibilityState === 'visible' && navigator.onLine,
    changed,
  });
  document.addEventListener('visibilitychange', watch.askNow);
  addEventListener('online', watch.askNow);
}

function changed(next: Seen): void {
  const isBack = seen.silentSince !== undefined && next.silentSince === undefined;
  seen = next;
  for (const listener of listeners) listener(seen);
  // Pages load again what failed meanwhile, as after an offline browser.
  if (isBack) dispatchEvent(new Event('online'));
}

/** The shell of the pages names its script, whose name is a hash of all that it imports. */
async function isOld(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src;
  if (own === undefined || HUB !== location.origin) return false;
  const shell = await fetch('/app', { cache: 'no-cache', headers: { accept: 'text/html' } });
  if (!shell.ok) return false;
  return !(await shell.text()).includes(new URL(own).pathname);
}
