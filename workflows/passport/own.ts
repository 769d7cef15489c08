import { savePassport } from '../../db/passport/passports.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import { keyEnd } from '../../db/wallet/policies.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { KeyId } from '../../domain/account.ts';
import { iso, type Instant } from '../../domain/instant.ts';
import { refuse } from '../kernel/errors.ts';
import type { Signer } from '../kernel/call.ts';
import type { Hub } from '../kernel/hub.ts';

/** Refuses a key that does not act for the signer's account (choices tasks.linked). */
export async function mustOwn(
  db: Reader,
  { account }: Signer,
  keyId: KeyId,
  field = 'body.keyId',
): Promise<void> {
  if ((await accountOfKey(db, keyId)) === account) return;
  refuse('key-not-bound', {
    error: `The key ${keyId} does not act for ${account}, which signed.`,
    hint: `Name the key that signs, or bind this one first: POST /api/v1/wallet/${account}/keys {"publicKey": "${keyId}"}, signed by both.`,
    field,
  });
}

/** The same for what is stated in the name of the key: one that was revoked states nothing. */
export async function mustOwnLive(
  db: Reader,
  caller: Signer,
  keyId: KeyId,
  now: Instant,
): Promise<void> {
  await mustOwn(db, caller, keyId);
  const { account } = caller;
  const end = await keyEnd(db, keyId, account, now);
  if (end === undefined) return;
  refuse('key-not-bound', {
    error: `The key ${keyId} was revoked or expired at ${iso(end)}.`,
    hint: `Name another key of the account: GET /api/v1/wallet/${account}/keys lists them.`,
    field: 'body.keyId',
  });
}

/** A passport is only a key until it is named, so it is made when its key is first used for one. */
export async function ownPassport(
  tx: Writer,
  hub: Hub,
  caller: Signer,
  keyId: KeyId,
): Promise<void> {
  const now = hub.clock.now();
  await mustOwnLive(tx, caller, keyId, now);
  await savePassport(tx, { keyId, createdAt: now });
}

export function noSuchPassport(keyId: KeyId): never {
  return refuse('not-found', {
    error: `The key ${keyId} has no passport.`,
    hint: `Its holder makes one: POST /api/v1/passport {"keyId": "${keyId}"}, signed. GET /api/v1/passport/${keyId}/karma works for every key that signed here.`,
    field: 'path.keyId',
  });
}
