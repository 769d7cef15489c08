import { pokerTexts as P } from '../texts/poker.ts';
import type { Got } from '../types.ts';
import { chipsText } from './chips.ts';

/** A finished hand as the sentences in which people would retell it. */
export type Hand = Got<'/api/v1/games/poker/tables/{id}/hands'>['hands'][number];
type Street = Hand['actions'][number]['street'];

export interface HandLine {
  readonly text: string;
  readonly cards?: readonly string[];
}

export interface HandPart {
  readonly title: string;
  readonly board: readonly string[];
  readonly lines: readonly HandLine[];
}

type NameOf = (seat: number) => string;

/** The streets that were played, each with the cards that it turned and its moves. */
export function streetsOf(hand: Hand, nameOf: NameOf): readonly HandPart[] {
  return STREETS.flatMap(({ street, from, to }) => {
    const moves = hand.actions.filter((each) => each.street === street);
    const board = hand.cards.board.slice(from, to);
    if (moves.length === 0 && board.length === 0) return [];
    const before = new Map<number, bigint>();
    const lines = moves.map((each) => {
      const added = BigInt(each.bet) - (before.get(each.seat) ?? 0n);
      before.set(each.seat, BigInt(each.bet));
      const chips = chipsText(each.move === 'call' ? String(added) : each.bet);
      const clock = each.byClock === true ? ` ${P.byClock}` : '';
      return { text: `${nameOf(each.seat)} ${P.did[each.move](chips)}${clock}.` };
    });
    return [{ title: P.streetNames[street], board, lines }];
  });
}

const STREETS: readonly { readonly street: Street; readonly from: number; readonly to: number }[] =
  [
    { street: 'preflop', from: 0, to: 0 },
    { street: 'flop', from: 0, to: 3 },
    { street: 'turn', from: 3, to: 4 },
    { street: 'river', from: 4, to: 5 },
  ];

export function endOf(hand: Hand, nameOf: NameOf): readonly HandLine[] {
  return hand.results.map(({ seat, won, lost, hand: made }) => {
    const { cards = [], shown = false } = hand.cards.holes.find((each) => each.seat === seat) ?? {};
    const sight = shown ? P.shows(made === undefined ? '' : P.made[made]) : P.hides;
    const end =
      won === '0' ? (lost === '0' ? P.even : P.loses(chipsText(lost))) : P.gains(chipsText(won));
    return { text: `${nameOf(seat)} ${sight} ${end}.`, cards };
  });
}

export function winnersOf(hand: Hand, nameOf: NameOf): string {
  const { pots, voided } = hand;
  if (voided) return P.voided;
  const seats = new Set(pots.flatMap(({ winners }) => winners.map(({ seat }) => seat)));
  return [...seats].map((seat) => P.won(nameOf(seat), chipsText(takenBy(hand, seat)))).join(', ');
}

export function takenBy({ pots }: Pick<Hand, 'pots'>, seat: number): string {
  const parts = pots.flatMap(({ winners }) => winners.filter((each) => each.seat === seat));
  return String(parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n));
}

/** Names players in sentences. Names prove nothing, so the seat is included. */
export function namesOf(
  players: readonly { readonly seat: number; readonly account: string; readonly name?: string }[],
  own: string | undefined,
): NameOf {
  return (seat) => {
    const player = players.find((each) => each.seat === seat);
    if (player !== undefined && player.account === own) return P.youAt(seat);
    return player?.name === undefined ? P.seat(seat) : P.namedAt(player.name, seat);
  };
}
