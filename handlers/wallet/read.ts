import type { Handler } from '../../workflows/kernel/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { walletOf } from './present/wallet.ts';

export const read: Handler<'wallet.read'> = async (call, hub) => {
  const network = networkNamed(hub, call.query.network, 'query.network');
  const now = hub.clock.now();
  const { owner } = call.path;
  return {
    status: 200,
    body: await hub.store.look(walletOf(hub, owner, network, now)),
  };
};
