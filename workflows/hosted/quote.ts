import type { HostedAgent } from '../../domain/hosted/agent.ts';
import { quoteBodies, type PaymentTerms } from '../../domain/hosted/quote.ts';
import type { Atomic } from '../../domain/money.ts';
import { refuse } from '../../server/hub/errors.ts';

/** A priced tool that nobody paid for yet, and where it is called. */
export interface Unpaid {
  readonly agent: HostedAgent;
  readonly tool: string;
  readonly price: Atomic;
  /** The agent's MCP address under the hub. */
  readonly address: string;
  /** Rails that can settle the price; the body names none when there is none. */
  readonly rails?: readonly PaymentTerms[];
}

/**
 * Refuses with the price in both versions of x402: the body has version 1, as everywhere at the
 * hub, and the header `payment-required` has version 2. Nothing was forwarded.
 */
export function refuseUnpaid(unpaid: Unpaid, payment: string | undefined): never {
  const { agent, tool, price, address, rails = [] } = unpaid;
  const description = `One call of ${tool}`;
  const { accepts, header } = quoteBodies({ price, resource: address, description, rails });
  const call = `{"caller": "key:<yours>", "agentId": "${agent.listingId}", "operation": "${tool}", "maxPrice": "${price}"}`;
  const hint = `Sign this request with the key of a hub account, or POST /api/v1/call ${call}; the price is held, and charged when the tool has served.`;
  const headers = { 'payment-required': header };
  if (payment !== undefined) {
    const says = 'No rail of this hub takes X-PAYMENT here; nothing was called.';
    const detail = { error: says, hint, accepts };
    refuse('payment-refused', detail, headers);
  }
  const error = `${tool} costs ${price} atomic USDC on ${agent.network} for each call, and nothing pays for it yet.`;
  const detail = { error, hint, accepts };
  refuse('payment-required', detail, headers);
}
