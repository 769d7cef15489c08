import type { Account } from '../account.ts';
import { sha256 } from '../digest.ts';
import type { NetworkId } from '../network.ts';

/**
 * Where an account's deposit address lies below the extended public key (choices rails.addresses):
 * four steps of 31 bits from the account's name, so none is stored and no two accounts share one.
 */
const PREFIX = 'hub/deposit-address/v1';
const STEPS = 4;
const NOT_HARDENED = 0x7fff_ffff;

/** Such as `1203458/20/77/91`, below m/44'/60'/0'/0. */
export type DepositPath = string & { readonly __brand: 'DepositPath' };

export function depositPath(network: NetworkId, account: Account): DepositPath {
  const digest = Buffer.from(sha256(`${PREFIX}\n${network}\n${account}`));
  const steps = Array.from({ length: STEPS }, (_, n) => digest.readUInt32BE(4 * n) & NOT_HARDENED);
  return steps.join('/') as DepositPath;
}

const STEP = /^(?:0|[1-9]\d{0,9})$/;

/** Undefined for what is no path; one step is a place, as addresses had it before. */
export function parseDepositPath(text: unknown): DepositPath | undefined {
  if (typeof text !== 'string') return undefined;
  const steps = text.split('/');
  const isPath = steps.every((step) => STEP.test(step) && Number(step) <= NOT_HARDENED);
  return isPath && steps.length <= STEPS ? (text as DepositPath) : undefined;
}

export function stepsOf(path: DepositPath): readonly number[] {
  return path.split('/').map(Number);
}
