import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { useLive } from '../live.ts';
import { useLoad, type Loaded } from '../load.ts';
import type { Mine } from '../mine.ts';
import { useSession } from '../session.ts';
import { decisionOf, useDecisions } from './decisions.ts';
import type { Approval } from './sentence.ts';

export type Waiting = Loaded<readonly Approval[]>;

export const WaitingContext = createContext<Waiting | undefined>(undefined);

/** Loads the calls that wait for this account, again as soon as one comes or is decided. */
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
  useLive(list.reload);
  useNotified(account, list.value);
  return list;
}

/** Notifies of a call that came while this page was not seen, where the browser may. */
function useNotified(account: string, calls: readonly Approval[] | undefined): void {
  useEffect(() => {
    if (calls === undefined || !('Notification' in globalThis)) return;
    if (Notification.permission !== 'granted') return;
    void import('./notify.ts').then(({ notifyNew }) => notifyNew(account, calls));
  }, [account, calls]);
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
