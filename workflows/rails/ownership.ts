import { addLink } from '../../db/tasks/links.ts';
import type { Writer } from '../../db/store.ts';
import { parseAccount, type Account } from '../../domain/account.ts';
import type { NetworkId } from '../../domain/network.ts';
import { checksummed, type EvmAddress, type Hex } from '../../domain/rails/evm.ts';
import { ownershipText, sharedAddress } from '../../domain/rails/ownership.ts';
import { ChainUnavailable } from '../kernel/chain/port.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

/** A wallet that an account says is its own. */
export interface Claimed {
  readonly account: Account;
  readonly network: NetworkId;
  readonly address: EvmAddress;
}

/** Refuses a proof that the wallet did not sign. It may ask a node, so it runs outside of a write. */
export async function mustBeSignedBy(
  hub: Hub,
  { account, network, address }: Claimed,
  proof: Hex,
): Promise<void> {
  const { personalHash, personalSigner } = await import('../kernel/chain/personalSign.ts');
  const text = ownershipText(account, address);
  const signer = await personalSigner(text, proof);
  if (signer === address) return;
  if (hub.chains.facts(network) !== undefined) {
    const port = await hub.chains.port(network);
    try {
      if (await port.acceptsSignature(address, personalHash(text), proof)) return;
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      refuse('busy', {
        error:
          'No node of the chain answers now, so the proof of a contract wallet cannot be checked.',
        hint: 'Nothing was changed. Send the call again in a minute.',
      });
    }
  }
  const by =
    signer === undefined ? 'is no signature of a wallet' : `was signed by ${checksummed(signer)}`;
  refuse('address-proof', {
    error: `The proof ${by}, and ${checksummed(address)} does not accept it for this account.`,
    hint: 'Send the call without `proof`, sign `proofText` of the answer with that wallet (`personal_sign`), and send it again as `proof`.',
    field: 'body.proof',
  });
}

/** Links an account with all others that proved the wallet, and with the wallet's own account. */
export async function linkWallet(
  tx: Writer,
  hub: Hub,
  { account, address }: Claimed,
): Promise<void> {
  const shared = sharedAddress(address);
  const wallet = parseAccount(`evm:${address}`);
  if (wallet === undefined) throw new Error('a wallet has an account of its own name');
  for (const each of [account, wallet]) await addLink(tx, each, shared, hub.clock.now());
}
