import { useEffect } from 'preact/hooks';
import type { Hub } from '../typescript/hub.ts';
import { unwrap } from '../typescript/refusal.ts';
import { useSession } from './session.ts';

/** A long poll of 25 s: the hub answers as soon as something happens to the account. */
const WAIT_SECONDS = 25;
const RETRY_MS = 2_000;
const RETRY_MS_MAX = 60_000;

/**
 * Calls `changed` as soon as something happens to the account of this browser. One tab follows the
 * events and notifies the others, so that many tabs hold one connection.
 */
export function useLive(changed: () => void): void {
  const session = useSession();
  const hub = session.state === 'open' ? session.hub : undefined;
  const account = session.state === 'open' ? session.account : '';
  useEffect(() => {
    if (hub === undefined) return undefined;
    const channel = new BroadcastChannel(`events ${account}`);
    channel.onmessage = changed;
    const leaving = new AbortController();
    const { signal } = leaving;
    const lead = (): Promise<void> =>
      followEvents(hub, signal, () => {
        channel.postMessage('');
        changed();
      });
    navigator.locks.request(channel.name, { signal }, lead).catch(() => {
      // The page was left before it was its turn.
    });
    return () => {
      leaving.abort();
      channel.close();
    };
  }, [hub, account, changed]);
}

/** Follows the events until the signal; after failures it waits twice as long each time. */
export async function followEvents(
  hub: Pick<Hub, 'GET'>,
  signal: AbortSignal,
  changed: () => void,
): Promise<void> {
  let cursor = 'now';
  let failures = 0;
  while (!signal.aborted) {
    try {
      const query = { cursor, wait: cursor === 'now' ? 0 : WAIT_SECONDS };
      const page = unwrap(await hub.GET('/api/v1/me/events', { params: { query }, signal }));
      if (page.count > 0 || failures > 0) changed();
      cursor = page.nextCursor;
      failures = 0;
    } catch {
      if (signal.aborted) return;
      failures += 1;
      const pause = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** (failures - 1));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
