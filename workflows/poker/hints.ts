import type { Account } from '../../domain/account.ts';
import type { SeatRefusal } from '../../domain/poker/seating.ts';
import { chipsOf, playerOf, type SeatedPlayer, type Table } from '../../domain/poker/table.ts';

/** Hints for a refused player at this table, where the hint of the code is too wide. */
const TABLES = '/api/v1/games/poker/tables';
const SEATS = '`GET /api/v1/games/poker/positions` lists your seats.';
const OTHER_TABLES = `\`GET ${TABLES}?state=open\` lists tables with room, and \`POST ${TABLES}\` opens one.`;

export function tablePath(id: string): string {
  return `${TABLES}/${id}`;
}

/** For an account that would have to sit first; undefined where it can. */
export function notSeatedHint({ state, format, startedAt }: Table): string | undefined {
  const isOpen = state !== 'finished' && (format === 'cash' || startedAt === undefined);
  return isOpen ? undefined : `This table takes no new players. ${OTHER_TABLES} ${SEATS}`;
}

export function leaveHint(refused: SeatRefusal): string | undefined {
  return refused === 'not-seated' ? `You have no seat to leave here. ${SEATS}` : undefined;
}

/** For a refused sit; undefined where the hint of the code says it. */
export function sitHint(refused: SeatRefusal, table: Table, account: Account): string | undefined {
  const here = playerOf(table, account);
  if (refused === 'wrong-state' || refused === 'started') return OTHER_TABLES;
  if (refused === 'buyin-range') return buyInHint(table, here);
  if (refused !== 'already-seated' || here === undefined) return undefined;
  const path = tablePath(table.id);
  if (here.state === 'leaving') {
    return `\`GET ${path}?after=${table.seq}&wait=30\` answers when the hand moves on; when it is over, send the call again.`;
  }
  const isAway = table.format === 'sng' && here.timeouts > 0 && here.place === undefined;
  return isAway ? 'Send the call again without `buyIn` to come back to your seat.' : undefined;
}

function buyInHint(table: Table, here: SeatedPlayer | undefined): string | undefined {
  const { format, buyIn, maxBuyIn = 0n } = table;
  if (format === 'sng') return `Send the call again without \`buyIn\`, or with "${buyIn}".`;
  if (here === undefined) return undefined;
  const most = maxBuyIn - chipsOf(table, here);
  return most > 0n
    ? `Send the call again with a \`buyIn\` from "1" to "${most}".`
    : `You have all that this table takes. Play on: \`GET ${tablePath(table.id)}/seat\`.`;
}

/** For a seated player who has no legal move. */
export function noMoveHint(table: Table, { state, place }: SeatedPlayer): string {
  const path = tablePath(table.id);
  if (table.state === 'finished') return `This table is finished. ${OTHER_TABLES}`;
  if (place !== undefined) return `You are out of this tournament. ${OTHER_TABLES}`;
  if (state === 'leaving') return `You leave when the hand ends. ${OTHER_TABLES}`;
  if (state === 'sittingOut') return `You sit out. \`POST ${path}/sit\` brings you back.`;
  if (state === 'busted') {
    const body = JSON.stringify({ buyIn: `${table.maxBuyIn ?? 0n}` });
    return `You have no chips left. \`POST ${path}/sit ${body}\` brings you back.`;
  }
  return `You have no legal move now. \`GET ${path}/seat?after=${table.seq}&wait=30\` answers when the table moves on.`;
}
