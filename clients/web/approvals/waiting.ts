import { createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { useLoad, type Loaded } from '../load.ts';
import type { Mine } from '../mine.ts';
import { useSession } from '../session.ts';
import { decisionOf, useDecisions } from './decisions.ts';
import type { Approval } from './sentence.ts';

export type Waiting = Loaded<readonly Approval[]>;

export const WaitingContext = createContext<Waiting | undefined>(undefined);

const WAIT_SECONDS = 25;
const RETRY_MS = 2_000;

/**
 * Loads the calls that wait for this account, again as soon as one comes or is decided. One tab of
 * this browser waits for events and notifies the others, because a browser opens few connections.
 */
export function useLoadWaiting(mine: Mine): Waiting {
  const session = useSession();
  // Only the hub knows which account a key signs for.
  const account = mine.value?.owner ?? '';
  const hub = session.state === 'open' && account !== '' ? session.hub : undefined;
  const list = useLoad(`waiting ${account}`, async (signal) => {
    if (hub === undefined) return [];
    const params = { path: { owner: account } };
    const answer = await hub.GET('/api/v1/wallet/{owner}/approvals', { params, signal });
    return unwrap(answer).approvals;
  });
  useEffect(() => {
    if (hub === undefined) return undefined;
    const channel = new BroadcastChannel(`approvals ${account}`);
    channel.onmessage = list.reload;
    const leaving = new AbortController();
    const { signal } = leaving;
    const watch = (): Promise<void> =>
      follow(hub, signal, () => {
        channel.postMessage('');
        list.reload();
      });
    navigator.locks.request(channel.name, { signal }, watch).catch(() => {
      // The page is left before it was its turn.
    });
    return () => {
      leaving.abort();
      channel.close();
    };
  }, [hub, account, list.reload]);
  useNotified(account, list.value);
  return list;
}

/** Notifies of a call that came while this page was not seen. */
function useNotified(account: string, calls: readonly Approval[] | undefined): void {
  const seen = useRef({ account: '', ids: new Set<string>() });
  useEffect(() => {
    if (calls === undefined) return;
    const isFirst = seen.current.account !== account;
    if (isFirst) seen.current = { account, ids: new Set() };
    const { ids } = seen.current;
    for (const call of calls) {
      const isNew = !ids.has(call.id) && call.state === 'open';
      ids.add(call.id);
      if (!isFirst && isNew && mayNotify()) {
        void import('./notify.ts').then(({ notify }) => notify(call));
      }
    }
  }, [account, calls]);
}

function mayNotify(): boolean {
  const isAllowed = 'Notification' in globalThis && Notification.permission === 'granted';
  return isAllowed && document.visibilityState === 'hidden';
}

async function follow(hub: Hub, signal: AbortSignal, changed: () => void): Promise<void> {
  let cursor = 'now';
  while (!signal.aborted) {
    try {
      const wait = cursor === 'now' ? 0 : WAIT_SECONDS;
      const query = { cursor, wait, types: 'approval' };
      const page = unwrap(await hub.GET('/api/v1/me/events', { params: { query }, signal }));
      if (cursor === 'now' || page.count > 0) changed();
      cursor = page.nextCursor;
    } catch {
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

export function useWaiting(): Waiting {
  const waiting = useContext(WaitingContext);
  if (waiting === undefined) throw new Error('the page is not inside the frame of all pages');
  return waiting;
}

/** Returns the calls that wait and that the person has not decided just now. */
export function useUndecided({ value }: Waiting): readonly Approval[] {
  useDecisions();
  return (value ?? []).filter(({ id, state }) => state === 'open' && decisionOf(id) === undefined);
}
