import { dropQuotes, saveQuotes } from '../../db/registry/quotes.ts';
import type { Writer } from '../../db/store.ts';
import { hostedAddresses, type HostedAgent } from '../../domain/hosted/agent.ts';
import type { LiveQuote } from '../../domain/registry/quote.ts';
import { chainNameV1, type Rail } from '../../domain/x402/rail.ts';
import { offerV2 } from '../../domain/x402/terms.ts';
import type { Hub } from '../kernel/hub.ts';
import { payable } from '../x402/require.ts';

type Offering = Pick<HostedAgent, 'keyId' | 'listingId' | 'tools'>;

/** Stores the hub's quotes for priced tools, for x402 discovery; none without a rail to pay by. */
export async function saveHostedQuotes(
  tx: Writer,
  hub: Hub,
  { keyId, listingId, tools }: Offering,
  rail: Rail | undefined,
): Promise<void> {
  const { mcp: endpoint, origin } = hostedAddresses(hub.settings.baseUrl, keyId);
  const quotedAt = hub.clock.now();
  const quotes = tools.flatMap(({ name: tool, price }): readonly LiveQuote[] => {
    if (price === undefined || rail === undefined) return [];
    const amount = payable(price);
    const accept = offerV2({ rail, amount });
    const { scheme, payTo } = accept;
    return [
      {
        kind: 'mcp',
        endpoint,
        origin,
        tool,
        listingId,
        price: { amount, asset: 'USDC', network: chainNameV1(rail), payTo },
        x402Version: 2,
        scheme,
        accept: { ...accept },
        quotedAt,
      },
    ];
  });
  const quoted = quotes.map(({ tool = '' }) => tool);
  await dropQuotes(tx, endpoint, quoted);
  await saveQuotes(tx, quotes);
}
