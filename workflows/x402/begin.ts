import type { Hub } from '../../server/hub/hub.ts';
import { authorizations } from '../../server/hub/x402/lazy.ts';
import { railOf } from './rail.ts';

/** Loads what payments need before the first one comes, since loading holds everything else up. */
export async function beginX402(hub: Hub): Promise<void> {
  if (hub.settings.x402Facilitator === undefined) return;
  await authorizations();
  for (const network of hub.chains.networks) await railOf(hub, network);
}
