import type { Writer } from '../../db/store.ts';
import { faucetGiven } from '../../db/wallet/faucet.ts';
import { networks } from '../../db/wallet/networks.ts';
import { houseAccount, type Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { iso, type Instant } from '../../domain/instant.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import { type NetworkId, ASSET } from '../../domain/network.ts';
import { give, utcDay } from '../../domain/walletFaucet.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { mustBeSpendable } from '../../workflows/wallet/receiver.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { mustTransfer } from '../../workflows/wallet/transfer.ts';

const FAUCET = houseAccount('external:faucet');

/** Test money for anyone's `key:` account, on networks that are not real, up to a daily cap. */
export const credit: Handler<'wallet.credit'> = async (call, hub) => {
  const { owner } = call.path;
  const { amount, note } = call.body;
  mustBeOpen(hub, owner);
  const network = networkNamed(hub, call.body.network, 'body.network');
  await mustHaveFaucet(hub, network);
  if (amount === 0n) {
    refuse('below-minimum', {
      error: 'The faucet gives at least 1 atomic unit; this asks for 0.',
      hint: 'Send an amount from "1" to "1000000000".',
      field: 'body.amount',
    });
  }
  const body = await hub.once(call, async (tx) => {
    await mustBeSpendable(hub, tx, owner, 'path.owner');
    const at = hub.clock.now();
    const given = await mustTransfer(tx, hub, {
      network,
      event: 'wallet.credit',
      actor: FAUCET,
      at,
      ...defined({ memo: note }),
      steps: [{ verb: 'move', from: FAUCET, to: owner, amount, reason: 'faucet' }],
    });
    const left = await leftToday(tx, owner, network, amount, at);
    return {
      transferId: given,
      owner,
      amount,
      asset: ASSET,
      network,
      note,
      leftToday: left,
      at,
    } as const;
  });
  return { status: 200, body };
};

/** Off unless the operator turned it on, and never for accounts that are not `key:` accounts. */
function mustBeOpen(hub: Hub, owner: Account): void {
  if (!hub.settings.faucetEnabled) {
    refuse('faucet-off', {
      error: 'This hub runs without FAUCET_ENABLED, so it gives out no test money.',
      hint: `Earn some: \`POST /api/v1/tasks/claim\` gives you work that pays. Or pay in: \`POST /api/v1/wallet/${owner}/deposit-address\` says where, when the network has a rail.`,
    });
  }
  if (!owner.startsWith('key:')) {
    refuse('faucet-account', {
      error: `The faucet gives to key: accounts only, never to ${owner}.`,
      hint: 'Name the account of your own key: key:<base58 public key>.',
      field: 'path.owner',
    });
  }
}

/** A faucet on a real network would mint money that was never paid in (threats.real-faucet). */
async function mustHaveFaucet(hub: Hub, network: NetworkId): Promise<void> {
  const known = await hub.store.read(networks);
  if (known.find(({ id }) => id === network)?.faucet === true) return;
  const open = known.filter(({ faucet }) => faucet).map(({ id }) => id);
  refuse('network-refused', {
    error: `There is no faucet on ${network}.`,
    hint: `Networks with a faucet: ${open.join(', ')}; name one in body.network.`,
    field: 'body.network',
    allowed: open,
  });
}

/**
 * Reads the total after posting, when the account's row is locked, so the second of two racing
 * credits counts the first. A refusal rolls the posting back.
 */
async function leftToday(
  tx: Writer,
  owner: Account,
  network: NetworkId,
  amount: Atomic,
  at: Instant,
): Promise<Atomic> {
  const given = await faucetGiven(tx, owner, { network, asset: ASSET }, utcDay(at));
  const answer = give(amount, atomic(given - amount), at);
  if ('left' in answer) return answer.left;
  const { refused, why, until } = answer;
  return refuse(refused, {
    error: why,
    hint:
      until === undefined
        ? 'Ask for at most "1000000000" at a time, under a new idempotencyKey.'
        : `Ask again from ${iso(until)}, with the same idempotencyKey.`,
    field: 'body.amount',
    ...(until !== undefined && { retryAfterSeconds: Math.ceil((until - at) / 1000) }),
  });
}
