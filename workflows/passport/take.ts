import { moveKarma, showKarma } from '../../db/karma/listings.ts';
import { lockStanding } from '../../db/karma/record.ts';
import { takeListing, type Taking } from '../../db/passport/listings.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';

/** Gives locked listings to a passport, with their karma; answers how much of that moved. */
export async function takeListings(
  tx: Writer,
  ids: readonly string[],
  account: Account,
  by: Taking,
): Promise<number> {
  if (ids.length === 0) return 0;
  await lockStanding(tx, account);
  let moved = 0;
  for (const id of ids) {
    await takeListing(tx, id, by);
    moved += await moveKarma(tx, id, account);
  }
  await showKarma(tx, account);
  return moved;
}
