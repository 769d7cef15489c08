import { measured } from '../../db/router/attempts.ts';
import { USE_MS } from '../../db/router/use.ts';
import { instant } from '../../domain/instant.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { listingNamed } from '../../workflows/registry/found.ts';
import { presentTally } from './present/reviews.ts';

/** How calls through the router ended; calls by accounts linked to the owner are only counted. */
export const reliability: Handler<'registry.reliability'> = async ({ path }, hub) => {
  const now = hub.clock.now();
  const { agentId, lately, ever } = await hub.store.read(async (db) => {
    const id = await listingNamed(db, path.id);
    const since = instant(now - USE_MS);
    return {
      agentId: id,
      lately: await measured(db, id, since),
      ever: await measured(db, id, instant(0)),
    };
  });
  return {
    status: 200,
    body: {
      agentId,
      at: now,
      last30Days: presentTally(lately.tally),
      ever: presentTally(ever.tally),
      linked30Days: lately.linked,
      firstCallAt: ever.firstAt,
      lastCallAt: ever.lastAt,
      operations: lately.operations.map(({ operation, tally }) => ({
        operation,
        tally: presentTally(tally),
      })),
    },
  };
};
