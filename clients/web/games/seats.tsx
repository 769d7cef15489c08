import { useNow } from '../load.ts';
import { Account, Badge } from '../parts/shown.tsx';
import { pokerTexts as P } from '../texts/poker.ts';
import type { Table } from '../types.ts';
import { Backs, Cards, Chips } from './cards.tsx';
import type { SeatView } from './watchTable.ts';

type Player = Table['players'][number];

interface SeatsProps {
  readonly table: Table;
  readonly seat: SeatView | undefined;
  readonly own: string | undefined;
}

/** The seats in their order, with stacks, bets and whose turn it is. */
export function Seats({ table, seat, own }: SeatsProps) {
  return (
    <ol class="seats" aria-label={P.seats}>
      {table.players.map((player) => (
        <OneSeat
          key={player.seat}
          player={player}
          table={table}
          own={own}
          cards={player.cards ?? (player.seat === seat?.seat ? seat.cards : undefined)}
        />
      ))}
    </ol>
  );
}

interface OneSeatProps {
  readonly player: Player;
  readonly table: Table;
  readonly own: string | undefined;
  readonly cards: readonly string[] | undefined;
}

function OneSeat({ player, table: { format, hand }, own, cards = [] }: OneSeatProps) {
  const { seat, account, name, state, stack, committed, folded, allIn, place } = player;
  const isTurn = hand?.toAct?.seat === seat;
  const hasCards = state === 'inHand' && folded !== true;
  return (
    <li class={isTurn ? 'turn' : ''}>
      <p>
        <b>{P.seat(seat)}</b> <Account name={account} own={own} />{' '}
        {hand?.button === seat && <Badge tone="quiet">{P.button}</Badge>}
      </p>
      {name !== undefined && <p class="stranger">{name}</p>}
      {cards.length > 0 ? <Cards cards={cards} /> : hasCards && <Backs />}
      <p>
        {P.stack} <Chips chips={stack} format={format} />
      </p>
      {committed !== '0' && (
        <p>
          {P.in} <Chips chips={committed} format={format} />
        </p>
      )}
      <p class="quiet">{place === undefined ? stateOf(state, folded, allIn) : P.place(place)}</p>
      {isTurn && hand.toAct !== undefined && <Clock {...hand.toAct} />}
    </li>
  );
}

function stateOf(state: Player['state'], folded = false, allIn = false): string {
  if (folded) return P.folded;
  return allIn ? P.allIn : P.states[state];
}

const TICK_MS = 500;

/** The time that is left for a move, running down. */
function Clock({ since, deadline }: { readonly since: string; readonly deadline: string }) {
  const now = useNow(TICK_MS);
  const end = Date.parse(deadline);
  const left = Math.max(0, end - now);
  const share = (left * 100) / Math.max(1, end - Date.parse(since));
  return (
    <span class="meter" role="timer" aria-label={P.clockLabel}>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" class="ground" />
        <rect width={Math.min(100, share)} height="6" class={share < 30 ? 'low' : 'part0'} />
      </svg>
      {P.clock(Math.ceil(left / 1000))}
    </span>
  );
}
