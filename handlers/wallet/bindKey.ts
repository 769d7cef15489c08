import type { Writer } from '../../db/store.ts';
import { accountOfKey, bindKey as bind, boundKeys, labelKey } from '../../db/wallet/keys.ts';
import { askForKey, type Wish } from '../../db/wallet/proposals.ts';
import { keyAccount } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { judgeNewKey } from '../../domain/httpsig/keys.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { admitNow } from '../../workflows/kernel/admission.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Call, Signer, Visitor } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import {
  mustBeFree,
  mustHaveSigners,
  refuseTaken,
  signToJoin,
} from '../../workflows/wallet/joinKey.ts';
import { presentAsked, presentBound, presentProposed } from './present/key.ts';

type BoundKey = Schemas['BoundKey'];

/**
 * Names a key for an account. Only the account's own key is bound by name; any other joins once a
 * bound key and the new key have both signed, and an unsigned request only asks
 * (threats.key-hijack).
 */
export const bindKey: Handler<'wallet.bindKey'> = async (call, hub) => {
  const wish = wishOf(call, hub);
  await admitNow(hub, call.caller);
  const body = await hub.store.write((tx) => name(tx, hub, wish, call.caller));
  return { status: 200, body };
};

function wishOf({ path, body }: Call<'wallet.bindKey'>, hub: Hub): Wish {
  const { owner: account } = path;
  const { publicKey: keyId, label } = body;
  if (!account.startsWith('key:')) {
    refuse('bad-account', {
      error: `Only key: accounts have keys; path.owner names ${account}.`,
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
  return { keyId, account, ...defined({ label }), at: hub.clock.now() };
}

async function name(tx: Writer, hub: Hub, wish: Wish, caller: Signer | Visitor): Promise<BoundKey> {
  const { keyId, account, label } = wish;
  if ((await accountOfKey(tx, keyId)) === account) return relabel(tx, wish, caller);
  if (keyAccount(keyId) === account) return bindOwn(tx, wish);
  await mustBeFree(tx, wish);
  await mustHaveSigners(tx, wish);
  if (caller.kind !== 'signer') return ask(tx, wish);
  const waiting = await signToJoin(tx, hub, wish, caller);
  if (waiting === undefined) return shown(tx, wish);
  if (caller.account === account) return presentProposed(waiting);
  return presentAsked(waiting, { label, isKey: true });
}

/** Settles nothing: every reader of a key's name could send this. */
async function bindOwn(tx: Writer, wish: Wish): Promise<BoundKey> {
  const { keyId, account, label, at } = wish;
  const actsFor = await bind(tx, keyId, account, at, label === undefined ? {} : { label });
  return actsFor === account ? shown(tx, wish) : refuseTaken(keyId, actsFor);
}

async function ask(tx: Writer, wish: Wish): Promise<BoundKey> {
  const waiting = await askForKey(tx, wish);
  if (waiting === 'full') {
    return refuse('ceiling-reached', {
      error: 'This account already has five pending key requests.',
      hint: 'Sign this request with a key of the account, or with the new key: both have room.',
    });
  }
  return presentAsked(waiting, { label: wish.label, isKey: false });
}

/**
 * A label is the owner's: unsigned it only fills an empty place, and is not read back either. Nor
 * is the key that signed the binding, since any caller may name any key.
 */
async function relabel(tx: Writer, wish: Wish, caller: Signer | Visitor): Promise<BoundKey> {
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

async function shown(tx: Writer, { account, keyId }: Wish): Promise<BoundKey> {
  const found = (await boundKeys(tx, account)).find((each) => each.keyId === keyId);
  if (found === undefined) throw new Error('a bound key is listed');
  return presentBound(found);
}
