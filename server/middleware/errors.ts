import type { Logger } from 'pino';
import { HubError, wireRefusal } from '../errors.ts';
import type { HubContext, Next } from './state.ts';

export const JSON_TYPE = 'application/json';

/** Turns whatever was thrown into the error body; a bug shows the caller its request id only. */
export function errors(log: Logger, baseUrl: string) {
  return async (ctx: HubContext, next: Next): Promise<void> => {
    try {
      await next();
    } catch (thrown) {
      if (!(thrown instanceof HubError)) {
        log.error({ err: thrown, requestId: ctx.state.requestId }, 'bug');
      }
      const refusal = wireRefusal(thrown, ctx.state.requestId, baseUrl);
      ctx.status = refusal.status;
      ctx.set(refusal.headers);
      ctx.set('content-type', JSON_TYPE);
      ctx.body = JSON.stringify(refusal.body);
    }
  };
}
