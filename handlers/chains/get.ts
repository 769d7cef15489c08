import type { Handler } from '../../workflows/kernel/handler.ts';
import { chainById } from '../../workflows/chains/read.ts';
import { settleChain } from '../../workflows/tasks/chainSteps.ts';
import { showChain } from './present.ts';

export const get: Handler<'chains.get'> = async (call, hub) => {
  const { id } = call.path;
  await settleChain(hub, id);
  const body = await hub.store.read(async (db) => {
    const { chain } = await chainById(db, id);
    return showChain(db, chain, hub.clock.now());
  });
  return { status: 200, body };
};
