import { legalMoves } from '../../../domain/poker/betting.ts';
import { cardText } from '../../../domain/poker/cards.ts';
import type {
  ClockMove,
  Dealt,
  LastRefusal,
  SeatedPlayer,
  Table,
} from '../../../domain/poker/table.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { dealFor } from '../../../workflows/poker/cards.ts';
import type { Dealer } from '../../../workflows/poker/secrets.ts';
import { nextForPlayer, presentStack, presentTable, type EventsShown } from '../present.ts';

type SeatView = Schemas['PokerSeatView'];

/** The view of a player: the public table, and of the private part its own two cards alone. */
export function presentSeat(
  hub: Dealer,
  table: Table,
  player: SeatedPlayer,
  shown?: EventsShown,
): SeatView {
  const { dealt } = table;
  const refusal = table.refusals.find((each) => each.seat === player.seat);
  return {
    tableId: table.id,
    seat: player.seat,
    account: player.account,
    state: player.state,
    ...presentStack(table, player),
    cards: dealt === undefined ? [] : ownCards(hub, table, player.seat),
    yourTurn: false,
    legal: [],
    ...(dealt !== undefined && turnOf(dealt, player.seat)),
    ...(refusal !== undefined && { lastRefusal: presentRefusal(refusal) }),
    ...(player.clockMove !== undefined && { clockMove: presentClockMove(player.clockMove) }),
    seq: table.seq,
    table: presentTable(hub, table, shown),
    contentIsUntrusted: true,
    next: nextForPlayer(table, player),
  };
}

function ownCards(hub: Dealer, table: Table, number: number): string[] {
  return (dealFor(hub, table).holes.get(number) ?? []).map(cardText);
}

function turnOf({ hand, turn }: Dealt, number: number): Partial<SeatView> {
  if (turn?.seat !== number) return {};
  const mine = hand.seats.find((each) => each.seat === number);
  const owed = Math.max(hand.currentBet - (mine?.bet ?? 0), 0);
  return {
    yourTurn: true,
    token: turn.token,
    deadline: turn.deadline,
    toCall: Math.min(owed, mine?.stack ?? 0),
    legal: legalMoves(hand).map(({ move, costs, minimum, maximum }) => ({
      move,
      costs,
      minimum,
      maximum,
    })),
  };
}

function presentClockMove({ hand, move, at }: ClockMove): NonNullable<SeatView['clockMove']> {
  return { hand, move, at };
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
    amount,
    at,
  };
}
