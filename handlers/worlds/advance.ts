import { admitNow } from '../../server/hub/admission.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentWorld, worldOf } from './present.ts';

/** Moves the clock of the caller's world, and answers once its jobs have run. */
export const advance: Handler<'worlds.advance'> = async ({ caller, body }, hub) => {
  const world = await worldOf(hub, caller.account);
  await admitNow(hub, caller);
  await world.advance(body.seconds);
  return { status: 200, body: presentWorld(world) };
};
