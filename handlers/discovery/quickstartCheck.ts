import type { RawRequest } from '../../domain/httpsig/message.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { checkRequest } from './present/requestCheck.ts';

/** The request that is checked when a door brings no signature headers of its own. */
const NOTHING: RawRequest = { method: 'POST', target: '/', headers: [], body: new Uint8Array() };

export const quickstartCheck: Handler<'discovery.quickstartCheck'> = async (call, hub) => ({
  status: 200,
  body: await checkRequest(hub, call.request.raw ?? NOTHING),
});
