import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { useFollowed, type Loaded } from '../load.ts';
import { reader } from '../session.ts';
import type { Got, Table } from '../types.ts';

export type SeatView = Got<'/api/v1/games/poker/tables/{id}/seat'>;

export interface TableView {
  readonly table: Table;
  readonly seat: SeatView | undefined;
}

/** As the hub holds an answer back at most. */
const WAIT_SECONDS = 25;
const GONE: readonly Table['players'][number]['state'][] = ['left', 'busted'];

/** Follows a table by its sequence number: each look waits for what comes after the one before. */
export function useTable(id: string, hub: Hub | undefined): Loaded<TableView> {
  return useFollowed(`table ${id} ${hub?.account ?? ''}`, (before: TableView | undefined, signal) =>
    look(id, hub, before, signal),
  );
}

async function look(
  id: string,
  hub: Hub | undefined,
  before: TableView | undefined,
  signal: AbortSignal,
): Promise<TableView> {
  if (hub !== undefined && isSeated(before?.table, hub.account)) {
    // The first look at a seat is not held back: the table has moved already.
    const seat = await hub.GET('/api/v1/games/poker/tables/{id}/seat', {
      params: { path: { id }, query: afterOf(before?.seat) },
      signal,
    });
    if (seat.error === undefined) return { table: seat.data.table, seat: seat.data };
    if (seat.error.code !== 'not-seated') unwrap(seat);
  }
  const table = await reader.GET('/api/v1/games/poker/tables/{id}', {
    params: { path: { id }, query: afterOf(before?.table) },
    signal,
  });
  return { table: unwrap(table), seat: undefined };
}

const afterOf = (seen: { readonly seq: number } | undefined) =>
  seen === undefined ? {} : { after: seen.seq, wait: WAIT_SECONDS };

export function isSeated(table: Table | undefined, account: string | undefined): boolean {
  return (
    table?.players.some((each) => each.account === account && !GONE.includes(each.state)) ?? false
  );
}
