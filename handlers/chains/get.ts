import type { Handler } from '../../server/handler.ts';
import { chainById, settleChain, showChain } from './_read.ts';

export const get: Handler<'chains.get'> = async (call, hub) => {
  const { id } = call.path;
  await settleChain(hub, id);
  const body = await hub.store.read(async (db) => {
    const { chain } = await chainById(db, id);
    return showChain(db, chain, hub.clock.now());
  });
  return { status: 200, body };
};
