import { lastChanges, probesOf } from '../../db/registry/probes.ts';
import { daysOf } from '../../domain/registry/history.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { listingNamed } from '../../workflows/registry/found.ts';
import { cutPage, envelopeOf, placeAt } from '../page.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';

/** The looks at a listing by day, and what changed between them. */
export const history: Handler<'registry.history'> = async ({ path, query }, hub) => {
  const { limit, cursor: after } = query;
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : placeAt(after);
  const { agentId, looks, changes } = await hub.store.read(async (db) => {
    const id = await listingNamed(db, path.id);
    return {
      agentId: id,
      looks: (await probesOf(db, [id])).get(id) ?? [],
      changes: await lastChanges(db, id, before, limit + 1),
    };
  });
  const page = cutPage(changes, limit, ({ place: _place, at, ...change }) => ({
    at,
    ...change,
  }));
  return {
    status: 200,
    body: {
      agentId,
      at: hub.clock.now(),
      days: daysOf(looks).map(({ looks, answered, ...day }) => ({
        ...day,
        looks,
        answered,
        ...(looks > 0 && { uptime: answered / looks }),
      })),
      ...envelopeOf(page, limit, ({ place }) => `${place}`),
      changes: page.shown,
      ...UNTRUSTED_LISTINGS,
    },
  };
};
