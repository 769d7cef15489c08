import { filePage } from '../../db/files/files.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { cutPage, envelopeOf } from '../page.ts';
import { presentFile } from './present.ts';

export const list: Handler<'files.list'> = async ({ path: { owner }, query }, hub) => {
  const { prefix = '', cursor: after = '', limit } = query;
  const found = await hub.store.read((db) =>
    filePage(db, owner, { prefix, after, limit: limit + 1 }),
  );
  const { rows, shown, more } = cutPage(found, limit, presentFile);
  return {
    status: 200,
    body: { owner, ...envelopeOf({ rows, more }, limit, ({ key }) => key), files: shown },
  };
};
