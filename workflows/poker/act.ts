import { need } from '../../db/batch/need.ts';
import { POKER_TABLES } from '../../db/poker/tables.ts';
import { act, type Act, type Acted, type ActRefused } from '../../domain/poker/act.ts';
import { legalMoves } from '../../domain/poker/betting.ts';
import { playerOf, type Table } from '../../domain/poker/table.ts';
import type { Call } from '../kernel/call.ts';
import type { Hub } from '../kernel/hub.ts';
import { commitTable, openSession } from './commit.ts';

/** A move, or its refusal: both spend the token, so both are committed before they are answered. */
export interface MadeMove {
  readonly acted: Acted | ActRefused;
  readonly table: Table;
}

export function makeTurn(hub: Hub, call: Call<'poker.act'>, asked: Act): Promise<MadeMove> {
  const tableId = call.path.id;
  return hub.transact(call, {
    needs: [need(POKER_TABLES, tableId)],
    decide(db) {
      const open = openSession(db, hub, tableId);
      const acted = act(open.session, asked);
      commitTable(db, hub, open);
      return { acted, table: open.session.table };
    },
  });
}

/** The legal moves of an account with their amounts, in words; empty when it is not its turn. */
export function legalText(table: Table, account: Act['account']): string {
  const { dealt } = table;
  const seat = playerOf(table, account)?.seat;
  if (dealt?.turn === undefined || seat !== dealt.turn.seat) {
    return '';
  }
  return legalMoves(dealt.hand)
    .map(({ move, costs, minimum, maximum }) => {
      if (minimum !== undefined) return `${move} to a total of ${minimum} to ${maximum}`;
      return costs === undefined ? move : `${move} for ${costs}`;
    })
    .join(', ');
}
