import { balance } from '../../db/ledger/balances.ts';
import { leaving, paidAddresses, saveBacking } from '../../db/rails/backing.ts';
import { houseAccount } from '../../domain/account.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import type { ChainPort } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';

/**
 * Compares what the chain has with what the books say came in (choices rails.backing). A difference
 * is shouted about and stops withdrawals until a later comparison finds none; deposits go on.
 */
const CHAIN = houseAccount('external:chain:base');
const ADDRESSES_A_STEP = 50;

export async function reconcile(hub: Hub): Promise<void> {
  for (const network of hub.chains.networks) {
    const port = await hub.chains.port(network);
    let { found, owed, out } = await compared(hub, network, port);
    // Money that moved between two addresses while they were asked in turn was seen on none.
    if (found + out < owed) ({ found, owed, out } = await compared(hub, network, port));
    const backed = found + out >= owed;
    const checkedAt = hub.clock.now();
    await hub.store.write((tx) => saveBacking(tx, network, { owed, found, backed, checkedAt }));
    if (backed) continue;
    const facts = { network, owed: `${owed}`, found: `${found}`, leaving: `${out}` };
    hub.log.fatal(facts, 'the chain has less than the hub owes; withdrawals are stopped');
  }
}

interface Compared {
  readonly found: Atomic;
  readonly owed: Atomic;
  /** Signed away and still in the books. */
  readonly out: Atomic;
}

async function compared(hub: Hub, network: NetworkId, port: ChainPort): Promise<Compared> {
  const found = atomic(await onTheChain(hub, network, port));
  return hub.store.read(async (db) => {
    const { posted } = await balance(db, CHAIN, { network, asset: ASSET });
    const owed = atomic(posted < 0n ? -posted : 0n);
    return { found, owed, out: await leaving(db, network) };
  });
}

/** The hot wallet and every address that was ever paid, at the head. */
async function onTheChain(hub: Hub, network: NetworkId, port: ChainPort): Promise<bigint> {
  const { treasury } = await hub.chains.wallets(network);
  let sum = treasury === undefined ? 0n : await port.balanceOf(treasury.address);
  for (let after = ''; ;) {
    const some = await hub.store.readOne((db) =>
      paidAddresses(db, network, after, ADDRESSES_A_STEP),
    );
    const last = some.at(-1);
    if (last === undefined) return sum;
    const has = await Promise.all(some.map((each) => port.balanceOf(each)));
    sum = has.reduce((total, each) => total + each, sum);
    after = last;
  }
}
