import type { Handler } from '../../workflows/kernel/handler.ts';
import { takeDown } from '../../workflows/hosted/takeDown.ts';
import { mustOwn } from '../../workflows/passport/own.ts';
import { presentEntry } from './present.ts';

/** Takes a hosted listing down; its key may publish again. */
export const remove: Handler<'hosted.delete'> = async (call, hub) => {
  const { keyId } = call.path;
  const { owner } = call.body;
  const body = await hub.once(call, async (tx) => {
    await mustOwn(tx, call.caller, keyId, 'path.keyId');
    return presentEntry(hub, owner, { agent: await takeDown(tx, hub, keyId) });
  });
  return { status: 200, body };
};
