import type { Hub } from '../../typescript/hub.ts';
import type { KeptCall } from '../../typescript/once.ts';
import { unwrap } from '../../typescript/refusal.ts';

/** Networks of test money have a faucet, which gives at least so much at once. */
const REAL = 'base';
const LEAST = 1_000_000n;

/**
 * Takes test money for an account that this press makes, so that one press is enough. On a network
 * of real money it does nothing, and the hub's own refusal says how to pay in.
 */
export async function firstMoney(
  once: Hub,
  { owner, network, units }: { owner: string; network: string; units: string },
): Promise<void> {
  if (network === REAL) return;
  const amount = BigInt(units) > LEAST ? units : String(LEAST);
  const params = { path: { owner } };
  unwrap(await once.POST('/api/v1/wallet/{owner}/credit', { params, body: { amount, network } }));
}

/** Whether a press was lost while it took test money, which then comes first again. */
export const isCredit = (lost: KeptCall | undefined): boolean =>
  lost?.path.endsWith('/credit') === true;
