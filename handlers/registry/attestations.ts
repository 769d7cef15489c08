import { reviewPage } from '../../db/router/reviews.ts';
import { defined } from '../../domain/defined.ts';
import { attest } from '../../domain/router/attestation.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { listingOf } from '../../workflows/registry/found.ts';
import { cutPage, envelopeOf } from '../page.ts';

/** Signs each answer: a payment that was sealed since the last one has its block in it. */
export const attestations: Handler<'registry.attestations'> = async ({ path, query }, hub) => {
  const { limit, cursor: after } = query;
  const page = { limit, ...defined({ before: after }) };
  const [key, now, { baseUrl }] = [hub.keys.current(), hub.clock.now(), hub.settings];
  const { listing, reviews, next } = await hub.store.read(async (db) => {
    const of = await listingOf(db, path.id);
    return { listing: of, ...(await reviewPage(db, of.id, page)) };
  });
  const { rows, shown, more } = cutPage(reviews, limit, (review) =>
    attest({ review, listing, baseUrl }, key, now),
  );
  const cut = { rows, more: more || next !== undefined };
  return {
    status: 200,
    body: {
      agentId: listing.id,
      ...envelopeOf(cut, limit, ({ id }) => id),
      attestations: shown,
      scale: '`value` is the rating from 1 to 5 times 20: 20, 40, 60, 80 or 100.',
      keys: `${baseUrl}/keys`,
    },
  };
};
