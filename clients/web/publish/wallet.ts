import { unwrap } from '../../typescript/refusal.ts';
import { useLoad, useReloadOn, type Loaded } from '../load.ts';
import { reader, type Sender } from '../session.ts';
import type { Me } from '../types.ts';

export type Wallet = Pick<Me['wallet'], 'network' | 'spendable'>;

/**
 * Loads the wallet of a form. A guest has no account to ask for yet, since its key is kept with the
 * first press; its form stays the same form afterwards.
 */
export function useWallet({ hub, account }: Sender, isGuest: boolean): Loaded<Wallet> {
  const loaded = useLoad(`wallet ${account}`, async (signal): Promise<Wallet> => {
    if (!isGuest) return unwrap(await hub.GET('/api/v1/me', { signal })).wallet;
    const { networks } = unwrap(await reader.GET('/api/v1/networks', { signal }));
    return { spendable: '0', network: networks.find(({ isDefault }) => isDefault)?.id ?? '' };
  });
  useReloadOn(String(isGuest), loaded.reload);
  return loaded;
}
