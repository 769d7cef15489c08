import { ZERO, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

const LARGEST = statement(`SELECT CAST(coalesce(max(stake), 0) AS TEXT) AS stake FROM seats
  WHERE state = 'seated' AND network = ?`);

/** The largest stake of a seat on a network; 0 without one. */
export async function largestStake(db: Reader, network: NetworkId): Promise<Atomic> {
  const row = column.one(await linkOf(db).rows(LARGEST, [network]));
  return row === undefined ? ZERO : column.amount(row, 'stake');
}
