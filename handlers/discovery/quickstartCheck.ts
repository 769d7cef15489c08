import type { RawRequest } from '../../domain/httpsig/message.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { checkRequest } from './present/requestCheck.ts';

/** What a door without signature headers of its own brings. */
const NOTHING: RawRequest = { method: 'POST', target: '/', headers: [], body: new Uint8Array() };

export const quickstartCheck: Handler<'discovery.quickstartCheck'> = async (call, hub) => ({
  status: 200,
  body: await checkRequest(hub, call.request.raw ?? NOTHING),
});
