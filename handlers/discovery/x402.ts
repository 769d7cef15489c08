import { quotePage, type NamedQuote } from '../../db/registry/quotePage.ts';
import { defined } from '../../domain/defined.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentPrice } from '../../workflows/registry/present/listing.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';
import { cutPage, envelopeOf, placeAt } from '../page.ts';

export const x402: Handler<'discovery.x402'> = async ({ query }, hub) => {
  const { q, kind, maxPrice, limit, cursor: after } = query;
  const offset = after === undefined ? 0 : placeAt(after);
  const filter = {
    ...defined({ text: q, kind, maxPrice }),
  };
  const found = await hub.store.read((db) => quotePage(db, filter, { limit: limit + 1, offset }));
  const { rows, shown, more } = cutPage(found, limit, presentQuote);
  return {
    status: 200,
    body: {
      ...envelopeOf({ rows, more }, limit, () => `${offset + rows.length}`),
      endpoints: shown,
      ...UNTRUSTED_LISTINGS,
    },
  };
};

function presentQuote({ quote, name }: NamedQuote): Schemas['LiveQuote'] {
  const { kind, endpoint, listingId, tool, price, payToChangedAt } = quote;
  return {
    kind,
    endpoint,
    agentId: listingId,
    name,
    tool,
    price: presentPrice(price),
    x402Version: quote.x402Version,
    scheme: quote.scheme,
    payTo: price.payTo,
    payToChangedAt,
    quotedAt: quote.quotedAt,
    quotes: quote.quotes,
  };
}
