import { seatsOf, type HeldSeat } from '../../db/poker/seats.ts';
import { positionsOf, type HeldPosition } from '../../db/predictions/positions.ts';
import { SIDES } from '../../domain/predictions/model.ts';
import { atomic, display } from '../../domain/money.ts';
import { playerOf } from '../../domain/poker/table.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { ASSET } from '../../domain/network.ts';
import { nextForPlayer } from '../poker/present.ts';
import { presentPosition } from '../predictions/present.ts';
import { settleDue } from '../../workflows/games/settleDue.ts';
import { CONTENT_NOTE } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';

type Position = Schemas['GamePosition'];

/** Markets and tables together: ids sort by time of making, so one cursor runs through both. */
export const positions: Handler<'games.positions'> = async (call, hub) => {
  const { limit, cursor: after } = call.query;
  const owner = call.query.owner ?? call.caller.account;
  await settleDue(hub);
  const found = await hub.store.read(async (db) => [
    ...(await positionsOf(db, owner, after, limit + 1)).map(ofMarket),
    ...(await seatsOf(db, owner, after, limit + 1)).map(ofTable),
  ]);
  const sorted = found.sort((a, b) => (a.id < b.id ? 1 : -1));
  const { shown, more } = cutPage(sorted, limit, (each) => each);
  return {
    status: 200,
    body: {
      owner,
      ...envelopeOf({ rows: shown, more }, limit, ({ id }) => id),
      positions: shown,
      contentIsUntrusted: true,
      contentNote: CONTENT_NOTE,
    },
  };
};

function ofMarket({ market, held }: HeldPosition): Position {
  const shown = presentPosition(market, held);
  const sides = SIDES.filter((side) => held.position[side] > 0n);
  return {
    game: 'predictions',
    id: market.id,
    title: market.question,
    state: market.state,
    asset: ASSET,
    network: market.network,
    stake: shown.stake,
    returned: shown.returned,
    detail: sides.map((side) => `${side} ${display(held.position[side])} USDC`).join(', '),
    openedAt: held.firstBetAt,
    next: shown.next,
  };
}

function ofTable({ table, held }: HeldSeat): Position {
  const here = held.state === 'left' ? undefined : playerOf(table, held.account);
  const where = here === undefined ? 'left' : `seat ${here.seat}, ${here.state}`;
  return {
    game: 'poker',
    id: table.id,
    title: table.name,
    state: table.state,
    asset: ASSET,
    network: table.network,
    stake: held.boughtIn,
    ...(held.cashedOut > 0n && { returned: held.cashedOut }),
    detail: `${where}, bought in for ${display(atomic(held.boughtIn))} USDC`,
    openedAt: held.satAt,
    next: nextForPlayer(table, here),
  };
}
