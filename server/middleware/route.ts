import { refuse } from '../errors.ts';
import type { Routes } from '../routes.ts';
import { pathOf, type HubContext, type Next } from './state.ts';

const PREFLIGHT = {
  'access-control-allow-headers':
    'content-type, content-digest, signature, signature-input, x-payment, payment-signature, authorization',
  'access-control-max-age': '86400',
};

/** Finds the operation by raw path and method; answers OPTIONS itself. */
export function route(routes: Routes) {
  return async (ctx: HubContext, next: Next): Promise<void> => {
    if (ctx.req.headers.host === undefined && ctx.req.httpVersion === '1.1') {
      refuse('bad-request', { error: 'HTTP/1.1 asks for a Host header.', field: 'header.host' });
    }
    const path = pathOf(ctx.state.target);
    const found = routes.find(path);
    if (found === undefined) {
      refuse('no-route', { error: `No route ${JSON.stringify(path.slice(0, 200))}.` });
    }
    if (ctx.method === 'OPTIONS') {
      ctx.set({ allow: found.allow, 'access-control-allow-methods': found.allow, ...PREFLIGHT });
      ctx.status = 204;
      return;
    }
    const spec = found.methods.get(ctx.method === 'HEAD' ? 'GET' : ctx.method);
    if (spec === undefined) {
      refuse(
        'method-not-allowed',
        {
          error: `${ctx.method} is not a method of ${path.slice(0, 200)}; it answers ${found.allow}.`,
          allowed: found.allow.split(', '),
        },
        { allow: found.allow },
      );
    }
    ctx.state.spec = spec;
    ctx.state.path = found.path;
    await next();
  };
}
