import { homeOf, ownKey } from '../../db/wallet/homes.ts';
import { bindKey, boundKeys, KEYS_PER_ACCOUNT_MAX } from '../../db/wallet/keys.ts';
import {
  ACCOUNTS_PER_KEY_MAX,
  accountsSignedFor,
  forgetProposal,
  keysSignedFor,
  signForAccount,
  signForKey,
  takeBackForAccount,
  type Proposal,
  type Wish,
} from '../../db/wallet/proposals.ts';
import { isUnlimited, lockRules } from '../../db/wallet/policies.ts';
import type { Writer } from '../../db/store.ts';
import { everReceived } from '../../db/wallet/used.ts';
import { keyAccount, type Account, type KeyId } from '../../domain/account.ts';
import { refuse } from '../kernel/errors.ts';
import type { Signer } from '../kernel/call.ts';
import type { Hub } from '../kernel/hub.ts';
import { KeyMoved } from '../kernel/keyMoved.ts';

/**
 * Notes one of the two signatures that a key needs to join an account, and binds it when the other
 * one is there (threats.key-hijack). Neither alone takes anything: a foreign key joins no account
 * without its own signature, and no account gets a key that it did not sign for. Returns the
 * signature that is still missing; undefined once the key is bound.
 */
export async function signToJoin(
  tx: Writer,
  hub: Hub,
  wish: Wish,
  caller: Signer,
): Promise<Proposal | undefined> {
  const isKey = caller.keyId === wish.keyId;
  await mustHaveRoomForKey(tx, wish, isKey ? 0 : await keysSignedFor(tx, wish));
  if (isKey) await mustHaveRoomForAccount(tx, wish);
  const proposal = isKey
    ? await signForKey(tx, wish)
    : await signForAccount(tx, wish, caller.keyId);
  const { byAccount, byKeyAt } = proposal;
  if (byAccount === undefined || byKeyAt === undefined) return stillWaits(tx, wish, proposal);
  // Under the lock of the account: a key that is revoked at this moment adds no key after it.
  if (!isUnlimited(await lockRules(tx, byAccount.keyId, wish.account), wish.at)) {
    await takeBackForAccount(tx, wish);
    return { ...proposal, byAccount: undefined };
  }
  const home = await hub.callers.settle(tx, wish.account);
  if (home !== wish.account) {
    if (!isKey) throw new KeyMoved(home);
    return refuseOwner(wish, home);
  }
  const { label, proposedAt: requestedAt } = proposal;
  const binding = { ...(label !== null && { label }), requestedAt, boundBy: byAccount.keyId };
  const actsFor = await bindKey(tx, wish.keyId, wish.account, wish.at, binding);
  if (actsFor !== wish.account) refuseTaken(wish.keyId, actsFor);
  return undefined;
}

/** The same request may have come twice at once, and the other one had the second signature. */
async function stillWaits(
  tx: Writer,
  { keyId, account }: Wish,
  proposal: Proposal,
): Promise<Proposal | undefined> {
  const home = await homeOf(tx, keyId);
  if (home === undefined) return proposal;
  if (home !== account) refuseTaken(keyId, home);
  await forgetProposal(tx, keyId, account);
  return undefined;
}

/** Refuses a key that joined another account, or whose used account would lose its signer. */
export async function mustBeFree(tx: Writer, { keyId, account }: Wish): Promise<void> {
  const home = await homeOf(tx, keyId);
  if (home !== undefined && home !== account) refuseTaken(keyId, home);
  const own = keyAccount(keyId);
  if (home === undefined && (await everReceived(tx, own))) refuseTaken(keyId, own);
}

/** Refuses an account without signers: in the name of a key that joined another. */
export async function mustHaveSigners(tx: Writer, wish: Wish): Promise<void> {
  const keyId = ownKey(wish.account);
  const home = keyId === undefined ? undefined : await homeOf(tx, keyId);
  if (home !== undefined && home !== wish.account) refuseOwner(wish, home);
}

async function mustHaveRoomForKey(tx: Writer, { account }: Wish, awaited: number): Promise<void> {
  const bound = await boundKeys(tx, account);
  if (bound.length + awaited < KEYS_PER_ACCOUNT_MAX) return;
  refuse('ceiling-reached', {
    error: `An account has at most ${KEYS_PER_ACCOUNT_MAX} keys, those included that it signed for.`,
    hint: 'Sign with one of the keys that you have; one that was only asked for is dropped in a day.',
  });
}

async function mustHaveRoomForAccount(tx: Writer, wish: Wish): Promise<void> {
  if ((await accountsSignedFor(tx, wish)) < ACCOUNTS_PER_KEY_MAX) return;
  refuse('ceiling-reached', {
    error: `This key has signed to join ${ACCOUNTS_PER_KEY_MAX} accounts already.`,
    hint: 'Have one of them signed by a key of its account, or wait: each is dropped after a day.',
  });
}

function refuseOwner({ account }: Wish, home: string): never {
  return refuse('bad-account', {
    error: `path.owner names ${account}, but its key signs for ${home}; no key signs for that account.`,
    hint: `Name ${home} in its place.`,
    field: 'path.owner',
  });
}

/** Why a key is not free, and what works instead. */
export function refuseTaken(keyId: KeyId, actsFor: Account): never {
  if (actsFor === keyAccount(keyId)) {
    refuse('key-bound', {
      error: `The key ${keyId} keeps its own account ${actsFor}: that was used, or named as one to be paid.`,
      hint: 'Make a new key, and have it sign this request before it does anything else.',
      field: 'body.publicKey',
    });
  }
  return refuse('key-bound', {
    error: `The key ${keyId} belongs to another account and cannot be given to this one.`,
    hint: 'Make a new key for the second place: a key joins one account, for ever.',
    field: 'body.publicKey',
  });
}
