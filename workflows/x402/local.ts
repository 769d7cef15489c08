import type { Writer } from '../../db/store.ts';
import type { IncomingPayment } from '../../db/x402/payments.ts';
import { sentStates } from '../../db/x402/sent.ts';
import { ChainUnavailable } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import { authorizations } from '../kernel/x402/lazy.ts';
import { followUnderway } from '../rails/follow.ts';
import { enqueueCall } from '../rails/outbox.ts';
import { signQueued } from '../rails/sign.ts';
import { withWallets } from '../rails/wallet.ts';
import type { Refusal } from './require.ts';

/** The hub as facilitator: its node says whether the token would move, and its hot wallet sends. */
const PURPOSE = 'x402';
/** The contract refuses for good: too little money, or used by another payment. */
const TRIES_MAX = 1;

/** Why it would not settle now, in x402's words; undefined when it would. */
export async function verifyLocally(
  hub: Hub,
  { network, authorization, signature, token }: IncomingPayment,
): Promise<Refusal | undefined> {
  const { from, value, nonce } = authorization;
  try {
    const port = await hub.chains.port(network);
    if (await port.authorizationState(from, nonce)) {
      const why = 'the token has seen its nonce';
      return { fault: 'invalid_exact_evm_nonce_already_used', why };
    }
    const has = await port.balanceOf(from);
    if (has < value) {
      return { fault: 'insufficient_funds', why: `the wallet has ${has} of ${value} atomic units` };
    }
    const { treasury } = await hub.chains.wallets(network);
    if (treasury === undefined) throw new Error(`${network} has lost its hot wallet`);
    const { settleData } = await authorizations();
    const call = { to: token, data: settleData(authorization, signature) };
    const estimate = await port.estimate(treasury.address, call);
    if ('gas' in estimate) return undefined;
    const why = `the token would refuse it: ${estimate.reverts}`;
    return { fault: 'invalid_transaction_state', why };
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    const why = 'no node of the chain answers now; nothing was taken';
    return { fault: 'unexpected_verify_error', why };
  }
}

/** In the unit that says that it settles: a kill leaves both or neither. */
export async function enqueueSettlement(
  tx: Writer,
  hub: Hub,
  { id, network, token, authorization, signature }: IncomingPayment,
): Promise<void> {
  const { settleData } = await authorizations();
  await enqueueCall(tx, hub, {
    network,
    purpose: PURPOSE,
    refId: id,
    to: token,
    data: settleData(authorization, signature),
    triesMax: TRIES_MAX,
  });
}

/** Whether the hot wallet gave it up, so that waiting for it is in vain. */
export async function wasDropped(hub: Hub, { id }: IncomingPayment): Promise<boolean> {
  const states = await hub.store.readOne((db) => sentStates(db, PURPOSE, id));
  return states.length > 0 && states.every((each) => each === 'dropped' || each === 'reverted');
}

/** Signs and sends what waits now, unless another process has the wallet, which does it then. */
export async function driveWallets(hub: Hub): Promise<void> {
  await withWallets(hub, async (at) => {
    await signQueued(hub, at);
    await followUnderway(hub, at);
  });
}
