import type { Instant } from '../../domain/instant.ts';
import { whole } from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import type { Place } from './accounts.ts';
import { OF_HOUSE, readSum, sealedBefore, sum, summed, supplyNow, total } from './supply.ts';

/** Stocks of money at one moment, in atomic units. */
export interface Stocks {
  /** The debt of the outside: all money that was issued or deposited and not taken out. */
  readonly supply: bigint;
  /** The part of the supply that is not the house's. */
  readonly ofUsers: bigint;
  /** The part of the balances that commitments reserve, for all owners. */
  readonly held: bigint;
}

export interface Parts {
  readonly from: Instant;
  readonly partMs: number;
  readonly count: number;
}

const HELD = total('held', `a.class <> 'external'`);

/** SQLite divides as real numbers, because its driver binds every number as one. */
const changesText = (accounts: string): string => `
  SELECT CAST((e.at - ?) / ? AS BIGINT) AS part,
    ${sum('outside', `e.kind = 'move' AND a.class = 'external'`)},
    ${sum('house', `e.kind = 'move' AND ${OF_HOUSE}`)},
    ${sum('held', `e.kind <> 'move'`)}
  FROM entries e CROSS JOIN ${accounts} a
  WHERE a.id = e.account_id AND a.network = ? AND a.asset = ?
    AND e.transfer_seq > ? AND e.at >= ?
  GROUP BY 1`;
const CHANGES = statement(
  changesText('accounts'),
  changesText('LATERAL (SELECT * FROM accounts WHERE id = e.account_id LIMIT 1)'),
);

/**
 * Returns the stocks at the end of each part, the newest of which is now. They are the stocks of
 * now less later changes, so only the entries of these parts are read.
 */
export async function supplyByPart(
  db: Reader,
  place: Place,
  { from, partMs, count }: Parts,
): Promise<readonly Stocks[]> {
  const { network, asset } = place;
  const { supply, house } = await supplyNow(db, place);
  let now: Stocks = { supply, ofUsers: supply - house, held: await readSum(db, place, HELD) };
  const after = await sealedBefore(db, from);
  const rows = await linkOf(db).rows(CHANGES, [from, partMs, network, asset, after, from]);
  const changes = rows.map((row) => {
    const gained = -summed(row, 'outside');
    return {
      part: whole(row, 'part'),
      supply: gained,
      ofUsers: gained - summed(row, 'house'),
      held: summed(row, 'held'),
    };
  });
  const stocks: Stocks[] = [];
  for (let part = count - 1; part >= 0; part -= 1) {
    stocks.unshift(now);
    // A clock that was set back leaves entries later than now, which belong to the newest part.
    for (const change of changes.filter((each) => Math.min(each.part, count - 1) === part)) {
      now = {
        supply: now.supply - change.supply,
        ofUsers: now.ofUsers - change.ofUsers,
        held: now.held - change.held,
      };
    }
  }
  return stocks;
}
