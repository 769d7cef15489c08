import { useNow } from '../load.ts';
import { shortAccount } from '../format.ts';
import { useName } from '../names.ts';
import { pokerTexts as P } from '../texts/poker.ts';
import { stateWord } from '../texts/states.ts';
import type { Table } from '../types.ts';
import { Backs, Cards, Chips } from './cards.tsx';
import { takenBy, type Hand } from './handWords.ts';
import { placeOf } from './place.ts';
import type { SeatView } from './watchTable.ts';

type Player = Table['players'][number];

interface SeatsProps {
  readonly table: Table;
  readonly seat: SeatView | undefined;
  readonly own: string | undefined;
  /** The hand that has just ended, until the next one is dealt. */
  readonly ended: Hand | undefined;
}

/** The chairs round the table in their order: stacks, cards, bets in front, and whose turn it is. */
export function Seats({ table, seat, own, ended }: SeatsProps) {
  const first = seat?.seat ?? 1;
  return (
    <ol class="chairs" aria-label={P.seats}>
      {Array.from({ length: table.seats }, (_, place) => {
        const number = place + 1;
        const player = table.players.find((each) => each.seat === number);
        const { x, y } = placeOf(number, first, table.seats);
        return (
          <li key={number} style={{ '--x': String(x), '--y': String(y) }}>
            {player === undefined ? (
              <span class="pod free">{P.free(number)}</span>
            ) : (
              <Taken {...{ player, table, seat, own, ended }} />
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface TakenProps extends SeatsProps {
  readonly player: Player;
}

function Taken({ player, table: { hand }, seat: view, own, ended }: TakenProps) {
  const { seat, account, name, state, stack, committed, folded, allIn, place } = player;
  const isTurn = hand?.toAct?.seat === seat;
  const isOut = folded === true || state === 'left' || state === 'busted';
  const won = ended === undefined ? '0' : takenBy(ended, seat);
  const displayName = useName(account);
  const shown = name ?? (account === own ? P.you : (displayName ?? shortAccount(account)));
  const note = place === undefined ? noteOf(state, folded, allIn) : P.place(place);
  const classes = ['pod', isTurn && 'turn', isOut && 'out', won !== '0' && 'won'];
  return (
    <>
      <div class={classes.filter(Boolean).join(' ')}>
        <Hole player={player} view={view} ended={ended} />
        <p class="plate">
          <span class="unseen">{P.seat(seat)} </span>
          <b title={account}>{shown}</b>
          {account === own && name !== undefined && <small>{P.you}</small>}
          <Chips key={stack} chips={stack} />
          {note !== '' && <small>{note}</small>}
          {isTurn && hand.toAct !== undefined && <Clock {...hand.toAct} />}
        </p>
        {hand?.button === seat && (
          <span class="dealer" role="img" aria-label={P.button}>
            D
          </span>
        )}
      </div>
      {committed !== '0' && (
        <span class="bet" key={committed}>
          <span class="unseen">{P.in} </span>
          <Chips chips={committed} />
        </span>
      )}
      {won !== '0' && (
        <span class="bet gain" key={`won ${ended?.n ?? 0}`}>
          <span class="unseen">{P.gained} </span>
          <Chips chips={won} />
        </span>
      )}
    </>
  );
}

/** Cards of a seat: those that the table or a finished hand shows, or two backs. */
function Hole({
  player,
  view,
  ended,
}: Pick<TakenProps, 'player' | 'ended'> & {
  readonly view: SeatView | undefined;
}) {
  const { seat, state, folded, cards } = player;
  const own = view?.seat === seat && view.cards.length > 0 ? view.cards : undefined;
  const last = ended?.cards.holes.find((each) => each.seat === seat);
  const known = cards ?? own ?? (last?.shown === true ? last.cards : undefined);
  if (known !== undefined) return <Cards cards={known} />;
  return state === 'inHand' && folded !== true ? <Backs /> : null;
}

function noteOf(state: Player['state'], folded = false, allIn = false): string {
  if (folded) return P.folded;
  if (allIn) return P.allIn;
  return state === 'inHand' || state === 'ready' ? '' : stateWord('player', state);
}

const TICK_MS = 500;

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
