import { withdrawalsOf } from '../../db/rails/withdrawals.ts';
import { ASSET } from '../../domain/network.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentWithdrawal } from './present/withdrawal.ts';
import { cutPage, envelopeOf } from '../page.ts';

export const withdrawals: Handler<'wallet.withdrawals'> = async (call, hub) => {
  const { owner } = call.path;
  const { limit, cursor: after } = call.query;
  const network = networkNamed(hub, call.query.network, 'query.network');
  const of = { account: owner, network };
  const found = await hub.store.read((db) =>
    withdrawalsOf(db, of, { limit: limit + 1, before: after }),
  );
  const { rows, shown, more } = cutPage(found, limit, (row) => presentWithdrawal(hub, row));
  return {
    status: 200,
    body: {
      owner,
      network,
      asset: ASSET,
      ...envelopeOf({ rows, more }, limit, ({ id }) => id),
      withdrawals: shown,
    },
  };
};
