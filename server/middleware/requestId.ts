import type { HubContext, Next } from './state.ts';

/** Headers that every answer carries, also the refused ones, so a browser client can sign and read. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-policy, retry-after, allow',
};

/** Mints the request id and keeps the raw target for the signature. */
export function requestId(mint: () => string) {
  return async (ctx: HubContext, next: Next): Promise<void> => {
    ctx.state.requestId = mint();
    ctx.state.target = ctx.req.url ?? '/';
    ctx.set({ ...CORS, 'x-request-id': ctx.state.requestId });
    await next();
  };
}
