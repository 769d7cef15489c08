import { reportPage } from '../../db/registry/reports.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { listingOf } from '../../workflows/registry/found.ts';
import { cutPage, envelopeOf } from '../page.ts';
import { presentReport } from './present/reports.ts';

export const reports: Handler<'registry.reports'> = async ({ path, query }, hub) => {
  const { limit, cursor: after } = query;
  const { listing, found } = await hub.store.read(async (db) => {
    const of = await listingOf(db, path.id);
    return { listing: of, found: await reportPage(db, of.id, after, limit + 1) };
  });
  const { rows, shown, more } = cutPage(found, limit, presentReport);
  return {
    status: 200,
    body: {
      agentId: listing.id,
      ...envelopeOf({ rows, more }, limit, ({ id }) => id),
      reports: shown,
      open: listing.openReports ?? 0,
    },
  };
};
