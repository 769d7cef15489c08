import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentWorld, worldOf } from './present.ts';

export const read: Handler<'worlds.read'> = async ({ caller }, hub) => ({
  status: 200,
  body: presentWorld(await worldOf(hub, caller.account)),
});
