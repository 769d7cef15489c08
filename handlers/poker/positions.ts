import { seatsOf, type HeldSeat } from '../../db/poker/seats.ts';
import { playerOf } from '../../domain/poker/table.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { settleDueTables } from '../../workflows/poker/commit.ts';
import { ASSET } from '../../domain/network.ts';
import { CONTENT_NOTE, nextForPlayer, presentStack } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';

export const positions: Handler<'poker.positions'> = async (call, hub) => {
  const { limit, cursor: after } = call.query;
  const owner = call.query.owner ?? call.caller.account;
  await settleDueTables(hub);
  const found = await hub.store.read((db) => seatsOf(db, owner, after, limit + 1));
  const { rows, shown, more } = cutPage(found, limit, presentPosition);
  return {
    status: 200,
    body: {
      owner,
      ...envelopeOf({ rows, more }, limit, ({ table }) => table.id),
      positions: shown,
      contentIsUntrusted: true,
      contentNote: CONTENT_NOTE,
    },
  };
};

function presentPosition({ table, held }: HeldSeat): Schemas['PokerPosition'] {
  const here = held.state === 'left' ? undefined : playerOf(table, held.account);
  const yourTurn = here !== undefined && table.dealt?.turn?.seat === here.seat;
  return {
    tableId: table.id,
    owner: held.account,
    tableName: table.name,
    format: table.format,
    tableState: table.state,
    seat: here?.seat ?? held.seat,
    state: here?.state ?? held.state,
    ...(here === undefined ? { stack: '0' } : presentStack(table, here)),
    boughtIn: held.boughtIn,
    cashedOut: held.cashedOut,
    place: held.place,
    ...(yourTurn && { yourTurn }),
    asset: ASSET,
    network: table.network,
    satAt: held.satAt,
    leftAt: held.leftAt,
    next: nextForPlayer(table, here),
  };
}
