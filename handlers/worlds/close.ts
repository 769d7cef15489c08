import { admitNow } from '../../workflows/kernel/admission.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';

export const close: Handler<'worlds.close'> = async ({ caller }, hub) => {
  await admitNow(hub, caller);
  return { status: 200, body: { closed: await hub.worlds.close(caller.account) } };
};
