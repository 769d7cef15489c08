import { need } from '../../db/batch/need.ts';
import { UNFINISHED_TABLES } from '../../db/poker/tables.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { NewTable } from '../../domain/poker/opening.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { createTable } from '../../workflows/poker/create.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentTable } from './present.ts';

export const create: Handler<'poker.create'> = async (call, hub) => {
  const wanted = wantedOf(hub, call.body, call.caller.account);
  const body = await hub.transactOnce(call, {
    needs: [need(UNFINISHED_TABLES, wanted.creator)],
    decide: (db) => presentTable(hub, createTable(db, hub, wanted)),
  });
  return { status: 200, body };
};

function wantedOf(hub: Hub, body: Call<'poker.create'>['body'], creator: Account): NewTable {
  const shared = {
    creator,
    network: networkNamed(hub, body.network, 'body.network'),
    seats: body.seats,
    ...defined({ actSeconds: body.actSeconds, name: body.name }),
  };
  if (body.format === 'sng') return { ...shared, format: 'sng', buyIn: body.buyIn };
  const { bigBlind, smallBlind, minBuyIn, maxBuyIn } = body;
  return {
    ...shared,
    format: 'cash',
    bigBlind: BigInt(bigBlind),
    ...(smallBlind !== undefined && { smallBlind: BigInt(smallBlind) }),
    ...defined({ minBuyIn, maxBuyIn }),
  };
}
