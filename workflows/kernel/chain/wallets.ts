import { ECDH } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { HDKey, privateKeyToAccount, publicKeyToAddress } from 'viem/accounts';
import { keccak256 } from 'viem/utils';
import {
  chainHash,
  evmAddress,
  type ChainHash,
  type EvmAddress,
  type Hex,
} from '../../../domain/rails/evm.ts';
import { stepsOf, type DepositPath } from '../../../domain/rails/depositPath.ts';
import type { Authorization } from '../../../domain/x402/payment.ts';
import { transferTypedData, type TokenDomain } from '../../../domain/x402/typedData.ts';
import type { ChainCall, ChainFees } from './port.ts';
import type { ChainSettings } from './settings.ts';
import { mustBePrivate } from '../keys/keyFiles.ts';
import { StartError } from '../startError.ts';

/** The hot wallet, which signs, and public keys of deposit addresses (choices rails.deposits). */
export interface Wallets {
  readonly treasury: HotWallet | undefined;
  /** The address of deposits at this path; undefined without an extended public key. */
  depositAddress(path: DepositPath): EvmAddress | undefined;
}

export interface HotWallet {
  readonly address: EvmAddress;
  sign(transaction: UnsignedTransaction): Promise<SignedTransaction>;
  /** Its order to move its tokens once, which any account may bring to the token (EIP-3009). */
  authorize(token: TokenDomain, authorization: Authorization): Promise<Hex>;
}

interface UnsignedTransaction extends ChainCall, ChainFees {
  readonly nonce: number;
  readonly gas: bigint;
}

interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: ChainHash;
}

/** Depth of m/44'/60'/0' and of m/44'/60'/0'/0, of which wallets export either. */
const ACCOUNT_DEPTH = 3;
const BRANCH_DEPTH = 4;

/** Throws an Error that names the setting when a key cannot be read. */
export function openWallets({ facts, treasuryKeyFile, depositXpub }: ChainSettings): Wallets {
  const treasury =
    treasuryKeyFile === undefined ? undefined : openHotWallet(treasuryKeyFile, facts.chainId);
  const branch = depositXpub === undefined ? undefined : openBranch(depositXpub);
  if (treasury !== undefined && branch !== undefined) mustBeApart(treasury.address, branch);
  return {
    treasury,
    depositAddress(path) {
      const { publicKey } = (branch && keyAt(branch, path)) ?? {};
      return publicKey ? addressOf(publicKey) : undefined;
    },
  };
}

/** How many accounts of a phrase a wallet program shows first. */
const FIRST_ACCOUNTS = 20;

/** The hot wallet is none of the accounts of the deposit key, of which all are swept. */
function mustBeApart(treasury: EvmAddress, branch: HDKey): void {
  for (let step = 0; step < FIRST_ACCOUNTS; step += 1) {
    const { publicKey } = branch.deriveChild(step);
    if (publicKey !== null && addressOf(publicKey) === treasury) {
      throw new StartError(
        `HUB_TREASURY_KEY is account ${step} of HUB_DEPOSIT_XPUB; keep the hot wallet under a seed of its own`,
      );
    }
  }
}

function openHotWallet(file: string, chainId: number): HotWallet {
  mustBePrivate(file, statSync(file).mode);
  const text = readFileSync(file, 'utf8').trim();
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text)?.[1];
  if (digits === undefined)
    throw new StartError('HUB_TREASURY_KEY names a file of 64 hex characters');
  const account = privateKeyToAccount(`0x${digits}`);
  return {
    address: evmAddress(account.address),
    async sign({ nonce, to, data, gas, maxFee, priorityFee }) {
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce,
        to,
        data,
        gas,
        maxFeePerGas: maxFee,
        maxPriorityFeePerGas: priorityFee,
      });
      return { raw, hash: chainHash(keccak256(raw)) };
    },
    authorize: (token, authorization) =>
      account.signTypedData(transferTypedData(token, authorization)),
  };
}

function openBranch(xpub: string): HDKey {
  let key: HDKey;
  try {
    key = HDKey.fromExtendedKey(xpub);
  } catch {
    throw new StartError(
      'HUB_DEPOSIT_XPUB is not an extended public key: its checksum does not hold',
    );
  }
  if (key.privateKey !== null) {
    throw new StartError('HUB_DEPOSIT_XPUB holds a private key; give the public one (xpub...)');
  }
  if (key.depth === BRANCH_DEPTH) return key;
  if (key.depth === ACCOUNT_DEPTH) return key.deriveChild(0);
  throw new StartError("HUB_DEPOSIT_XPUB is the key of m/44'/60'/0'/0 or of m/44'/60'/0'");
}

export function keyAt(branch: HDKey, path: DepositPath): HDKey {
  return stepsOf(path).reduce((key, step) => key.deriveChild(step), branch);
}

function addressOf(compressed: Uint8Array): EvmAddress {
  const whole = ECDH.convertKey(compressed, 'secp256k1', undefined, 'hex', 'uncompressed');
  return evmAddress(publicKeyToAddress(`0x${String(whole)}`));
}
