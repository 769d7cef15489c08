import { resourcePage, type QuotedResource } from '../../db/registry/quotePage.ts';
import { defined } from '../../domain/defined.ts';
import { quotedNetwork } from '../../domain/registry/readQuote.ts';
import { mcpToolBazaar } from '../../domain/x402/bazaar.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { cutPage } from '../page.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';

type PaidResource = Schemas['PaidResource'];

const PARTS = 10_000;

export const resources: Handler<'discovery.resources'> = async ({ query }, hub) => {
  const { type, network, scheme, payTo, maxPrice, tag, limit, offset } = query;
  const filter = {
    ...defined({ type, scheme, payTo, maxPrice, tag }),
    ...(network !== undefined && { network: quotedNetwork(network) }),
  };
  const found = await hub.store.read((db) => resourcePage(db, filter, { limit, offset }));
  const { shown } = cutPage(found.resources, limit, present);
  return {
    status: 200,
    body: {
      x402Version: 2,
      items: shown,
      pagination: { limit, offset, total: found.total },
      ...UNTRUSTED_LISTINGS,
    },
  };
};

function present({ quote, listed, described }: QuotedResource): PaidResource {
  const { endpoint, kind, x402Version, accept, quotedAt, tool, quotes, listingId } = quote;
  return {
    resource: endpoint,
    type: kind,
    x402Version,
    accepts: accept === undefined ? [] : [{ ...accept }],
    lastUpdated: quotedAt,
    serviceName: listed?.name,
    ...(tool !== undefined && {
      extensions: {
        bazaar:
          kind === 'mcp' && described !== undefined
            ? { ...mcpToolBazaar({ name: tool, ...described }) }
            : { info: { input: { type: kind, toolName: tool } } },
      },
    }),
    quality: {
      quotes,
      agentId: listingId,
      ...(listed !== undefined && {
        availability: listed.availability,
        uptime: listed.uptimeBps / PARTS,
        latencyMs: listed.latencyMs,
        lastCheckedAt: listed.lastCheckedAt,
        calls30d: listed.calls30d,
      }),
    },
  };
}
