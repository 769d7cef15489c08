import { numberNow } from '../../db/predictions/numbers.ts';
import type { Reader } from '../../db/store.ts';
import { iso, type Instant } from '../../domain/instant.ts';
import type { Market } from '../../domain/predictions/model.ts';
import type { components } from '../../generated/types.ts';

/** The number of an open market's check as it is now; undefined where a judge decides. */
export async function presentNumber(
  db: Reader,
  { state, check, network }: Market,
  now: Instant,
): Promise<components['schemas']['MarketNumber'] | undefined> {
  if (check === undefined || state !== 'open') return undefined;
  return { value: `${await numberNow(db, check.metric, network, now)}`, at: iso(now) };
}
