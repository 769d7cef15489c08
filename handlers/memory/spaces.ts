import { spacePage } from '../../db/memory/spaces.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { cutPage, envelopeOf } from '../page.ts';
import { presentSpace } from './present.ts';

export const spaces: Handler<'memory.spaces'> = async ({ query, caller }, hub) => {
  const { limit, cursor: after = '' } = query;
  const found = await hub.store.read((db) => spacePage(db, caller.account, after, limit + 1));
  const { rows, shown, more } = cutPage(found, limit, presentSpace);
  return {
    status: 200,
    body: { ...envelopeOf({ rows, more }, limit, ({ id }) => id), spaces: shown },
  };
};
