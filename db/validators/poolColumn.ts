import type { Account } from '../../domain/account.ts';
import type { PoolSeat } from '../../domain/validators/panel.ts';
import { column, type Column } from '../batch/columns.ts';

/** A seat of a pool as JSON. */
export type PackedSeat = readonly [account: Account, weight: string, group: string];

export function packedSeat({ account, weight, group }: PoolSeat): PackedSeat {
  return [account, `${weight}`, group];
}

export function unpackedSeat([account, weight, group]: PackedSeat): PoolSeat {
  return { account, weight: BigInt(weight), group };
}

/** The seats that a draw was among, as JSON text that only this column writes. */
export function pool(): Column<readonly PoolSeat[]> {
  return column<readonly PoolSeat[]>(
    'text',
    (seats) => JSON.stringify(seats.map(packedSeat)),
    (cell) => (JSON.parse(String(cell)) as readonly PackedSeat[]).map(unpackedSeat),
  );
}
