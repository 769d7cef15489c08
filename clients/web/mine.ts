import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { unwrap } from '../typescript/refusal.ts';
import { useLive } from './live.ts';
import { useLoad, type Loaded } from './load.ts';
import { knowOwner, useSession } from './session.ts';
import type { Me } from './types.ts';

/**
 * The account of this browser, loaded once for the header and every page, and again whenever an
 * event comes; the timer is for what no event names, such as karma.
 */
const EVERY_MS = 60_000;
export type Mine = Loaded<Me | undefined>;

export const MineContext = createContext<Mine | undefined>(undefined);

export function useLoadMine(): Mine {
  const session = useSession();
  const hub = session.state === 'open' ? session.hub : undefined;
  const name = session.state === 'open' ? session.account : '';
  const mine = useLoad(
    `me ${name}`,
    async (signal) => {
      if (hub === undefined) return undefined;
      const me = unwrap(await hub.GET('/api/v1/me', { signal }));
      knowOwner(me.owner, me.keyId);
      return me;
    },
    EVERY_MS,
  );
  useLive(mine.reload);
  return mine;
}

export function useMine(): Mine {
  const mine = useContext(MineContext);
  if (mine === undefined)
    throw new Error('the page is not inside the frame that loads the account');
  return mine;
}
