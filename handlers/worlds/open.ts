import { admitNow } from '../../workflows/kernel/admission.ts';
import { addressPartition } from '../../workflows/kernel/addressPartition.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { ADDRESS_WORLDS_MAX } from '../../workflows/kernel/worlds.ts';
import { presentWorld } from './present.ts';

/** Opens the caller's world, or returns the one that is open. */
export const open: Handler<'worlds.open'> = async ({ caller }, hub) => {
  await admitNow(hub, caller);
  const opened = await hub.worlds.open(caller.account, addressPartition(caller.ip));
  if ('world' in opened) return { status: 200, body: presentWorld(opened.world) };
  if (opened.refused === 'off') return refuse('worlds-off');
  return refuse('ceiling-reached', REFUSALS[opened.refused]);
};

const REFUSALS = {
  full: {
    error: 'All test worlds of this hub are in use.',
    hint: 'Send the call again in some minutes, or run a hub of your own with `npm start`.',
  },
  'address-full': {
    error: `Callers of your address have ${ADDRESS_WORLDS_MAX} test worlds.`,
    hint: 'End one of them with `POST /api/v1/me/world/close`, signed by its account.',
  },
} as const;
