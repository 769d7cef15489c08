import { HDKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { bytesToHex } from 'viem/utils';
import type { DepositPath } from '../../../domain/rails/depositPath.ts';
import { evmAddress } from '../../../domain/rails/evm.ts';
import type { SweepOrder, SweepPlan } from '../../../domain/rails/sweep.ts';
import { receiveTypedData } from '../../../domain/x402/typedData.ts';
import { StartError } from '../startError.ts';
import { keyAt } from './wallets.ts';

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
  for (const { path, authorization } of plan.orders) {
    const account = accountOf(path);
    if (evmAddress(account.address) !== authorization.from) {
      throw new StartError(`address ${path} of this key is not ${authorization.from}`);
    }
    const signature = await account.signTypedData(receiveTypedData(plan, authorization));
    orders.push({ path, authorization, signature });
  }
  return { ...plan, orders };
}

function signersOf(secret: string): (path: DepositPath) => Signer {
  if (secret.includes(' ')) {
    return (path) => mnemonicToAccount(secret, { path: `m/44'/60'/0'/0/${path}` });
  }
  const branch = branchOf(secret);
  return (path) => {
    const { privateKey } = keyAt(branch, path);
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
