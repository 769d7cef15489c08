import { eventsAfter } from '../../db/poker/tables.ts';
import { iso } from '../../domain/instant.ts';
import { legalMoves } from '../../domain/poker/betting.ts';
import { cardText } from '../../domain/poker/cards.ts';
import { playerOf, type Dealt, type LastRefusal, type Table } from '../../domain/poker/table.ts';
import type { components } from '../../generated/types.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { dealFor } from '../../workflows/poker/cards.ts';
import { watchTable } from '../../workflows/poker/watch.ts';
import { EVENTS_MAX, nextForPlayer, presentStack, presentTable } from './present.ts';

type SeatView = components['schemas']['PokerSeatView'];

/** Your cards, and in your turn the legal moves and the token that is good for one of them. */
export const seat: Handler<'poker.seat'> = async (call, hub) => {
  const { after, wait } = call.query;
  const { account } = call.caller;
  const watch = { after, wait, gone: call.request.gone };
  const table = await watchTable(
    hub,
    call.path.id,
    watch,
    (now, first) =>
      now.seq > (after ?? 0) ||
      now.privateSeq !== first.privateSeq ||
      playerOf(now, account) === undefined,
  );
  const player = playerOf(table, account);
  if (player === undefined) {
    return refuse('not-seated', { error: 'You do not sit at this table.' });
  }
  const events =
    after === undefined
      ? []
      : await hub.store.read((db) => eventsAfter(db, table.id, after, EVENTS_MAX));
  const shown = events.filter(({ seq }) => seq <= table.seq);
  const { dealt } = table;
  const refusal = table.refusals.find((each) => each.seat === player.seat);
  const body: SeatView = {
    tableId: table.id,
    seat: player.seat,
    account,
    state: player.state,
    stack: presentStack(table, player),
    cards: dealt === undefined ? [] : ownCards(hub, table, player.seat),
    yourTurn: false,
    legal: [],
    ...(dealt !== undefined && turnOf(dealt, player.seat)),
    ...(refusal !== undefined && { lastRefusal: presentRefusal(refusal) }),
    seq: table.seq,
    table: presentTable(hub, table, after === undefined ? undefined : { after, events: shown }),
    contentIsUntrusted: true,
    next: nextForPlayer(table, player),
  };
  return { status: 200, body };
};

function ownCards(hub: Hub, table: Table, number: number): string[] {
  return (dealFor(hub, table).holes.get(number) ?? []).map(cardText);
}

function turnOf({ hand, turn }: Dealt, number: number): Partial<SeatView> {
  if (turn?.seat !== number) return {};
  const mine = hand.seats.find((each) => each.seat === number);
  const bet = mine?.bet ?? 0;
  return {
    yourTurn: true,
    token: turn.token,
    deadline: iso(turn.deadline),
    toCall: `${hand.currentBet > bet ? hand.currentBet - bet : 0}`,
    legal: legalMoves(hand).map(({ move, costs, minimum, maximum }) => ({
      move,
      ...(costs !== undefined && { costs: `${costs}` }),
      ...(minimum !== undefined && { minimum: `${minimum}` }),
      ...(maximum !== undefined && { maximum: `${maximum}` }),
    })),
  };
}

function presentRefusal({
  code,
  says,
  move,
  amount,
  at,
}: LastRefusal): NonNullable<SeatView['lastRefusal']> {
  return {
    code,
    says,
    move,
    ...(amount !== undefined && { amount: `${amount}` }),
    at: iso(at),
  };
}
