import type { Writer } from '../../db/store.ts';
import {
  accountOfKey,
  bindKey as bind,
  confirmKey,
  labelKey,
  listKeys,
  proposeKey,
  type Proposal,
} from '../../db/wallet/keys.ts';
import { everReceived } from '../../db/wallet/used.ts';
import { keyAccount } from '../../domain/account.ts';
import { judgeNewKey } from '../../domain/httpsig/keys.ts';
import type { components } from '../../generated/types.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Visitor, Signer } from '../../server/hub/call.ts';
import { presentBound, presentProposed } from './present/key.ts';

type BoundKey = components['schemas']['BoundKey'];

/** As many as `wallet.keys` lists. */
const KEYS_PER_ACCOUNT_MAX = 200;

/**
 * Names a key for an account. Only the account's own key, or a bound key's signature, gives
 * authority; from anybody else a foreign key is no more than a proposal (threats.key-hijack).
 */
export const bindKey: Handler<'wallet.bindKey'> = async (call, hub) => {
  const { owner } = call.path;
  const { publicKey: keyId, label } = call.body;
  if (!owner.startsWith('key:')) {
    refuse('bad-account', {
      error: `Only key: accounts have keys; path.owner names ${owner}.`,
      field: 'path.owner',
    });
  }
  const verdict = judgeNewKey(keyId);
  if (!verdict.ok) {
    refuse('bad-account', {
      error: `body.publicKey is refused: ${verdict.why}.`,
      hint: 'Send the public half of an ed25519 key pair that you made yourself.',
      field: 'body.publicKey',
    });
  }
  const wish = {
    keyId,
    account: owner,
    ...(label !== undefined && { label }),
    at: hub.clock.now(),
  };
  const body = await hub.store.write((tx) => name(tx, wish, call.caller));
  return { status: 200, body };
};

async function name(tx: Writer, wish: Proposal, caller: Signer | Visitor): Promise<BoundKey> {
  const { keyId, account } = wish;
  const actsFor = await accountOfKey(tx, keyId);
  if (actsFor === account) return relabel(tx, wish, caller);
  if (actsFor !== undefined) return refuseBound(keyId);
  if (keyAccount(keyId) === account) {
    const actsNow = await bind(tx, keyId, account, wish.at, labelOf(wish));
    if (actsNow !== account) refuseBound(keyId);
    return shown(tx, wish);
  }
  await mustBeFree(tx, wish);
  return caller.kind === 'signer' ? bindForeign(tx, wish, caller) : propose(tx, wish);
}

/**
 * An account that was paid before its key ever signed belongs to that key: taken for another
 * account, nobody could sign for its money any more.
 */
async function mustBeFree(tx: Writer, { keyId }: Proposal): Promise<void> {
  if (await everReceived(tx, keyAccount(keyId))) refuseBound(keyId);
}

async function bindForeign(tx: Writer, wish: Proposal, { keyId }: Signer): Promise<BoundKey> {
  const { account, at } = wish;
  const { bound } = await listKeys(tx, account, at);
  if (bound.length >= KEYS_PER_ACCOUNT_MAX) {
    refuse('ceiling-reached', {
      error: `An account has at most ${KEYS_PER_ACCOUNT_MAX} keys.`,
      hint: 'Sign with one of the keys that you have.',
    });
  }
  const confirmed = await confirmKey(tx, wish, keyId);
  if (confirmed === 'bound-elsewhere') refuseBound(wish.keyId);
  if (confirmed === 'not-proposed') {
    const binding = { ...labelOf(wish), boundBy: keyId };
    if ((await bind(tx, wish.keyId, account, at, binding)) !== account) refuseBound(wish.keyId);
  }
  return shown(tx, wish);
}

function labelOf({ label }: Proposal): { readonly label?: string } {
  return label === undefined ? {} : { label };
}

async function propose(tx: Writer, wish: Proposal): Promise<BoundKey> {
  const { account, keyId, at } = wish;
  const outcome = await proposeKey(tx, wish);
  if (outcome === 'bound') return refuseBound(keyId);
  if (outcome === 'full') {
    return refuse('ceiling-reached', {
      error: 'This account has five pending keys already.',
      hint: 'Send the same request signed by a key of the account: it is bound at once then.',
    });
  }
  const { pending } = await listKeys(tx, account, at);
  const found = pending.find((each) => each.keyId === keyId);
  if (found === undefined) throw new Error('a proposal was kept');
  return presentProposed(found);
}

/**
 * A label is the owner's: unsigned it only fills an empty place, and is not read back either. Nor is
 * the key that signed the binding, since a stranger may name any key.
 */
async function relabel(tx: Writer, wish: Proposal, caller: Signer | Visitor): Promise<BoundKey> {
  const { keyId, label } = wish;
  if (caller.kind === 'signer') {
    if (label !== undefined) await labelKey(tx, keyId, label, 'always');
    return shown(tx, wish);
  }
  if (label !== undefined) await labelKey(tx, keyId, label, 'when-unlabelled');
  const { label: kept, boundBy: _, ...plain } = await shown(tx, wish);
  if (label === undefined) return plain;
  if (kept === label) return { ...plain, label };
  return refuse('unsigned', {
    error: 'This key has a label already; only a signed request gives it another.',
    hint: 'Sign the same request with a key of the account.',
    field: 'body.label',
  });
}

async function shown(tx: Writer, { account, keyId, at }: Proposal): Promise<BoundKey> {
  const { bound } = await listKeys(tx, account, at);
  const found = bound.find((each) => each.keyId === keyId);
  if (found === undefined) throw new Error('a bound key is listed');
  return presentBound(found);
}

function refuseBound(keyId: string): never {
  return refuse('key-bound', {
    error: `The key ${keyId} belongs to another account and cannot be given to this one.`,
    hint: 'Make a new key for the second place: a key acts for one account, for ever.',
    field: 'body.publicKey',
  });
}
