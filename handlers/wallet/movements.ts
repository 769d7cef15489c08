import { readCursor } from '../../db/rails/cursors.ts';
import { depositsOf } from '../../db/rails/deposits.ts';
import { incomingEntries } from '../../db/rails/entries.ts';
import { withdrawalsOf } from '../../db/rails/withdrawals.ts';
import { ASSET } from '../../domain/network.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentDeposit, presentEntry, presentOutgoing } from './present/movement.ts';
import { cutPage, envelopeOf } from '../page.ts';

/** Deposits and withdrawals of an account on one network, newest first, in one snapshot. */
export const movements: Handler<'wallet.movements'> = async (call, hub) => {
  const { owner } = call.path;
  const { limit, cursor: after } = call.query;
  const network = networkNamed(hub, call.query.network, 'query.network');
  const of = { account: owner, network };
  const page = { limit: limit + 1, before: after };
  const found = await hub.store.read(async (db) => {
    const cursor = await readCursor(db, network);
    return [
      ...(await incomingEntries(db, owner, { network, asset: ASSET }, page)).map((entry) =>
        presentEntry(network, entry),
      ),
      ...(await depositsOf(db, of, page)).map((row) => presentDeposit(hub, row, cursor)),
      ...(await withdrawalsOf(db, of, page)).map((row) => presentOutgoing(hub, row, cursor)),
    ];
  });
  // Ids are UUIDs of version 7, so they sort by time over all three.
  const sorted = found.sort((a, b) => (a.id < b.id ? 1 : -1));
  const { shown, more } = cutPage(sorted, limit, (each) => each);
  return {
    status: 200,
    body: {
      owner,
      network,
      asset: ASSET,
      ...envelopeOf({ rows: shown, more }, limit, ({ id }) => id),
      movements: shown,
    },
  };
};
