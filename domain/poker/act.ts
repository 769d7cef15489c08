import type { Account } from '../account.ts';
import { iso } from '../instant.ts';
import { isBack } from './clock.ts';
import { giveTurn, moveOn } from './dealing.ts';
import { chipsIn, seatOf, type MoveName, type Street } from './hand.ts';
import type { Session } from './session.ts';
import { playerOf, withPlayer, type LastRefusal, type SeatedPlayer } from './table.ts';

/** A move with the token of the turn, which a refused move spends as well (choices poker.clock). */
export interface Act {
  readonly account: Account;
  readonly token: string;
  readonly move: MoveName;
  readonly amount?: bigint;
  readonly signatureDigest: string;
}
export interface Acted {
  readonly hand: number;
  readonly seat: number;
  readonly bet: number;
  readonly paid: number;
  readonly stack: number;
  readonly street: Street;
}
export interface ActRefused {
  readonly refused: 'not-seated' | 'not-your-turn' | 'act-token' | 'illegal-move';
  readonly why: string;
  /** The table changed although the move was refused: the token is spent. */
  readonly spent: boolean;
}

export function act(session: Session, asked: Act): Acted | ActRefused {
  const { table } = session;
  const player = playerOf(table, asked.account);
  if (player === undefined) {
    return { refused: 'not-seated', why: 'You do not sit at this table.', spent: false };
  }
  const turn = table.dealt?.turn;
  if (table.dealt === undefined || turn?.seat !== player.seat) {
    const why = `It is not your turn.${clockNote(player)}`;
    return { refused: 'not-your-turn', why, spent: false };
  }
  const { hand } = table.dealt;
  if (turn.token !== asked.token) {
    const why = `The token is not that of this turn; each is good for one move.${clockNote(player)}`;
    return { refused: 'act-token', why, spent: false };
  }
  const before = seatOf(hand, player.seat);
  const move = { seat: player.seat, move: asked.move };
  const sized = { ...move, ...(asked.amount !== undefined && { amount: chipsIn(asked.amount) }) };
  isBack(session, player.seat);
  const by = { byClock: false, signatureDigest: asked.signatureDigest };
  const why = moveOn(session, sized, by);
  if (why !== undefined) return refusedMove(session, asked, { seat: player.seat, why });
  const forgotten = session.table.refusals.filter(({ seat }) => seat !== player.seat);
  session.change({ refusals: forgotten });
  forgetClockMove(session, asked.account);
  const action = session.records.at(-1)?.actions.at(-1) ?? session.table.dealt?.actions.at(-1);
  const bet = Number(action?.bet ?? 0);
  const paid = bet > before.bet ? bet - before.bet : 0;
  return {
    hand: hand.n,
    seat: player.seat,
    bet,
    paid,
    stack: before.stack - paid,
    street: hand.street,
  };
}

/** Returns the note for a player who acts too late and whose move the clock has made. */
function clockNote({ clockMove }: SeatedPlayer): string {
  if (clockMove === undefined) return '';
  const { hand, move, at } = clockMove;
  return ` Your time ran out at ${iso(at)}, in hand ${hand}: the clock made a ${move} for you.`;
}

function forgetClockMove(session: Session, account: Account): void {
  const here = playerOf(session.table, account);
  if (here?.clockMove === undefined) return;
  const { clockMove: _over, ...kept } = here;
  session.table = withPlayer(session.table, kept);
}

/** The token is spent and another is given; the clock goes on as it was. */
function refusedMove(
  session: Session,
  asked: Act,
  { seat, why }: { readonly seat: number; readonly why: string },
): ActRefused {
  const turn = session.table.dealt?.turn;
  giveTurn(session, seat);
  const { dealt } = session.table;
  if (dealt?.turn === undefined || turn === undefined) throw new Error('a refused move has a turn');
  const { since, deadline } = turn;
  const refusal: LastRefusal = {
    seat,
    code: 'illegal-move',
    says: why,
    move: asked.move,
    ...(asked.amount !== undefined && { amount: asked.amount }),
    at: session.now,
  };
  const others = session.table.refusals.filter((each) => each.seat !== seat);
  session.change({
    dealt: { ...dealt, turn: { ...dealt.turn, since, deadline } },
    refusals: [...others, refusal],
  });
  session.whisper();
  return { refused: 'illegal-move', why, spent: true };
}
