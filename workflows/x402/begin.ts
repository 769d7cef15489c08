import type { Hub } from '../kernel/hub.ts';
import { authorizations } from '../kernel/x402/lazy.ts';
import { chainRailOf } from './rail.ts';

/** Loads what payments need before the first one comes, since loading holds everything else up. */
export async function beginX402(hub: Hub): Promise<void> {
  const { x402Facilitator, x402PayUpstream } = hub.settings;
  if (x402Facilitator === undefined && x402PayUpstream === undefined) return;
  if (x402Facilitator !== undefined) {
    hub.paymentSignatures.begin();
    await authorizations();
  }
  for (const network of hub.chains.networks) await chainRailOf(hub, network);
}
