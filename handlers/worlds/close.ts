import { admitNow } from '../../server/hub/admission.ts';
import type { Handler } from '../../server/hub/handler.ts';

export const close: Handler<'worlds.close'> = async ({ caller }, hub) => {
  await admitNow(hub, caller);
  return { status: 200, body: { closed: await hub.worlds.close(caller.account) } };
};
