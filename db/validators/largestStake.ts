import { ZERO, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { amount, network } from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

const LARGEST_OF = (network: string): string =>
  `coalesce((SELECT max(stake) FROM seats WHERE state = 'seated' AND network = ${network}), 0)`;
const LARGEST = statement(`SELECT CAST(${LARGEST_OF('?')} AS TEXT) AS stake`);

/** The largest stake of a seat on a network; 0 without one. */
export const LARGEST_STAKE = lookup('largest_stake', {
  by: { network: network() },
  found: { stake: amount() },
  sql: (key) => ({ stake: LARGEST_OF(key.network) }),
});

/** The same outside of a batch. */
export async function largestStake(db: Reader, on: NetworkId): Promise<Atomic> {
  const row = column.one(await linkOf(db).rows(LARGEST, [on]));
  return row === undefined ? ZERO : column.amount(row, 'stake');
}
