import { defined } from '../../domain/defined.ts';
import type { HostedAgent } from '../../domain/hosted/agent.ts';
import { mcpToolBazaar } from '../../domain/x402/bazaar.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Purchase } from '../x402/door.ts';
import { paymentRequired, WHAT_IS_LEFT } from '../x402/require.ts';

/** Refuses with the price in both versions of x402 (body 1, header 2). Nothing was forwarded. */
export function refuseUnpaid(
  hub: Hub,
  { agent, tool }: { readonly agent: HostedAgent; readonly tool: string },
  { due, ...what }: Purchase,
  rail: Rail | undefined,
): never {
  const call = `{"caller": "key:<yours>", "agentId": "${agent.listingId}", "operation": "${tool}", "maxPrice": "${due}"}`;
  const sign = `Sign this request with the key of a hub account, or POST /api/v1/call ${call}; the price is held, and charged when the tool has served.`;
  const pay = `Or pay the entry of \`accepts\` and send the call again with the payment. ${WHAT_IS_LEFT}`;
  const offered = agent.tools.find(({ name }) => name === tool);
  const bazaar = offered && mcpToolBazaar(offered);
  return paymentRequired(hub, { ...what, amount: due, ...defined({ bazaar }) }, rail, {
    error: `${tool} costs ${due} atomic USDC on ${agent.network} for each call, and nothing pays for it yet.`,
    hint: rail === undefined ? sign : `${sign} ${pay}`,
  });
}
