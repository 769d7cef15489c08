import { Section } from '../parts/shown.tsx';
import { pokerTexts as P } from '../texts/poker.ts';
import type { Table } from '../types.ts';
import { Cards, Chips } from './cards.tsx';
import { namesOf, winnersOf, type Hand } from './handWords.ts';
import { Seats } from './seats.tsx';
import type { TableView } from './watchTable.ts';

type FeltProps = TableView & {
  readonly own: string | undefined;
  readonly last: Hand | undefined;
};

export function Felt({ table, seat, own, last }: FeltProps) {
  const { hand, handsPlayed } = table;
  const ended = hand === undefined && last?.n === handsPlayed ? last : undefined;
  const board = hand?.board ?? ended?.cards.board ?? [];
  const size = table.seats > 6 ? 'poker full' : 'poker';
  return (
    <Section title={P.table}>
      <p role="status">{statusOf(table, seat?.yourTurn === true, ended, own)}</p>
      <div class={size} role="group" aria-label={P.table}>
        <div class="middle">
          {hand?.pots.map(({ amount }, place) => (
            <p key={`${place} ${amount}`} class="pot">
              <small>{place === 0 ? P.pot : P.sidePot(place)}</small> <Chips chips={amount} />
            </p>
          ))}
          {board.length > 0 && (
            <p class="board">
              <span class="unseen">{P.board}</span> <Cards cards={board} />
            </p>
          )}
        </div>
        <Seats table={table} seat={seat} own={own} ended={ended} />
      </div>
    </Section>
  );
}

/** The table in one sentence, which a screen reader reads out when it changes. */
function statusOf(
  table: Table,
  isYours: boolean,
  ended: Hand | undefined,
  own: string | undefined,
): string {
  const { hand, nextHand, finishedBecause, taken, seats, players } = table;
  if (finishedBecause !== undefined) return P.over[finishedBecause];
  if (hand !== undefined) {
    const { toAct } = hand;
    const turn = isYours ? P.yourTurn : toAct === undefined ? '' : P.toAct(toAct.seat);
    return `${P.hand(hand.n, P.streets[hand.street])} ${turn}`.trim();
  }
  if (nextHand?.startsAt === undefined) return P.waits(taken, seats);
  const next = P.between(nextHand.n);
  return ended === undefined ? next : `${winnersOf(ended, namesOf(players, own))}. ${next}`;
}
