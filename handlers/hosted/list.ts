import { hostedOfAccount } from '../../db/hosted/agents.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { visitsWritten } from '../../workflows/hosted/note.ts';
import { cutPage, envelopeOf } from '../page.ts';
import { presentEntry } from './present.ts';

/** The hosted listings of the signer's keys, also those that were taken down; free. */
export const list: Handler<'hosted.list'> = async ({ query, caller: { account } }, hub) => {
  const { limit, cursor: after = '' } = query;
  await visitsWritten(hub);
  const found = await hub.store.read((db) =>
    hostedOfAccount(db, account, { after, limit: limit + 1 }),
  );
  const { rows, shown, more } = cutPage(found, limit, (own) => presentEntry(hub, account, own));
  return {
    status: 200,
    body: { ...envelopeOf({ rows, more }, limit, ({ agent }) => agent.keyId), listings: shown },
  };
};
