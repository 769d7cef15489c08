import { listTables } from '../../db/poker/tables.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { settleDueTables } from '../../workflows/poker/commit.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { CONTENT_NOTE, presentTable } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';

export const list: Handler<'poker.list'> = async (call, hub) => {
  const { network, limit, cursor: before, after: _, ...equal } = call.query;
  const filter = {
    ...defined({ ...equal, before }),
    ...(network !== undefined && { network: networkNamed(hub, network, 'query.network') }),
  };
  await settleDueTables(hub);
  const found = await hub.store.read((db) => listTables(db, filter, limit + 1));
  const { rows, shown, more } = cutPage(found, limit, (table) => presentTable(hub, table));
  return {
    status: 200,
    body: {
      ...envelopeOf({ rows, more }, limit, ({ id }) => id),
      tables: shown,
      contentIsUntrusted: true,
      contentNote: CONTENT_NOTE,
    },
  };
};
