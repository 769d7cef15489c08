import { moveKarma, showKarma } from '../../db/karma/listings.ts';
import { lockStanding } from '../../db/karma/record.ts';
import { heldBy, takeListing, type Taking } from '../../db/passport/listings.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account, KeyId } from '../../domain/account.ts';
import type { components } from '../../generated/types.ts';
import { CONTENT_NOTE, presentHeld, presentStanding } from './_present.ts';

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

export interface Answering {
  readonly account: Account;
  readonly keyId: KeyId;
  /** The listings that the claim was about. */
  readonly ids: readonly string[];
  readonly karmaMoved: number;
}

export async function presentClaimed(
  db: Reader,
  { account, keyId, ids, karmaMoved }: Answering,
): Promise<components['schemas']['ClaimedListings']> {
  const asked = new Set(ids);
  const claimed = (await heldBy(db, keyId)).filter(({ id }) => asked.has(id)).map(presentHeld);
  return {
    keyId,
    count: claimed.length,
    claimed,
    karmaMoved,
    karma: await presentStanding(db, account),
    contentIsUntrusted: true,
    contentNote: CONTENT_NOTE,
  };
}
