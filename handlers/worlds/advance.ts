import { admitNow } from '../../workflows/kernel/admission.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { AHEAD_SECONDS_MAX } from '../../workflows/kernel/worlds.ts';
import { presentWorld, worldOf } from './present.ts';

/** Moves the clock of the caller's world, and answers once its jobs have run. */
export const advance: Handler<'worlds.advance'> = async ({ caller, body }, hub) => {
  const world = await worldOf(hub, caller.account);
  await admitNow(hub, caller);
  const left = AHEAD_SECONDS_MAX - world.aheadSeconds();
  if (body.seconds > left) {
    refuse('ceiling-reached', {
      error: `The clock of a test world goes at most ${AHEAD_SECONDS_MAX} seconds ahead; yours has ${left} left.`,
      hint: 'Send less in `seconds`, or begin again: `POST /api/v1/me/world/close`, then `POST /api/v1/me/world`.',
      field: 'body.seconds',
    });
  }
  await world.advance(body.seconds);
  return { status: 200, body: presentWorld(world) };
};
