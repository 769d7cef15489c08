import { HDKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { bytesToHex } from 'viem/utils';
import { evmAddress } from '../../../domain/rails/evm.ts';
import type { SweepOrder, SweepPlan } from '../../../domain/rails/sweep.ts';
import { receiveTypedData } from '../../../domain/x402/typedData.ts';
import { StartError } from '../startError.ts';

/** Signs sweeps where the keys of deposits are: a machine without network (choices rails.sweeping). */
const BRANCH_DEPTH = 4;
const ACCOUNT_DEPTH = 3;
type Signer = ReturnType<typeof privateKeyToAccount> | ReturnType<typeof mnemonicToAccount>;

/**
 * `secret` is a phrase, or the extended private key of m/44'/60'/0'/0 or of m/44'/60'/0'. Throws
 * when it is neither, or when an address of the plan is not of it.
 */
export async function signPlan(plan: SweepPlan, secret: string): Promise<SweepPlan> {
  const accountOf = signersOf(secret.trim());
  const orders: SweepOrder[] = [];
  for (const { place, authorization } of plan.orders) {
    const account = accountOf(place);
    if (evmAddress(account.address) !== authorization.from) {
      throw new StartError(`address ${place} of this key is not ${authorization.from}`);
    }
    const signature = await account.signTypedData(receiveTypedData(plan, authorization));
    orders.push({ place, authorization, signature });
  }
  return { ...plan, orders };
}

function signersOf(secret: string): (place: number) => Signer {
  if (secret.includes(' ')) {
    return (place) => mnemonicToAccount(secret, { path: `m/44'/60'/0'/0/${place}` });
  }
  const branch = branchOf(secret);
  return (place) => {
    const { privateKey } = branch.deriveChild(place);
    if (privateKey === null) throw new Error('a private key has private children');
    return privateKeyToAccount(bytesToHex(privateKey));
  };
}

function branchOf(text: string): HDKey {
  let key: HDKey;
  try {
    key = HDKey.fromExtendedKey(text);
  } catch {
    throw new StartError('the key is neither a phrase nor an extended private key (xprv...)');
  }
  if (key.privateKey === null) throw new StartError('the key is a public one; it signs nothing');
  if (key.depth === BRANCH_DEPTH) return key;
  if (key.depth === ACCOUNT_DEPTH) return key.deriveChild(0);
  throw new StartError("the key is of m/44'/60'/0'/0 or of m/44'/60'/0'");
}
