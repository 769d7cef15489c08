import Koa from 'koa';
import type { Handlers } from './handler.ts';
import type { Hub } from './hub.ts';
import { createDispatch } from './dispatch.ts';
import type { Identities } from './identity.ts';
import { openLimits } from './limits.ts';
import { body } from './middleware/body.ts';
import { call } from './middleware/call.ts';
import { errors } from './middleware/errors.ts';
import { rateLimit } from './middleware/rateLimit.ts';
import { requestId } from './middleware/requestId.ts';
import { route } from './middleware/route.ts';
import { signature } from './middleware/signature.ts';
import type { State } from './middleware/state.ts';
import { createRoutes } from './routes.ts';

export interface AppParts {
  readonly hub: Hub;
  readonly handlers: Handlers;
  readonly identities: Identities;
}

/** The HTTP door, readable from top to bottom; it holds nothing that two hubs could share. */
export function createApp({ hub, handlers, identities }: AppParts): Koa<State> {
  const limits = openLimits(() => hub.clock.now(), hub.settings.rateLimits);
  const app = new Koa<State>();
  app.use(requestId(() => hub.ids.uuid()));
  app.use(errors(hub.log, hub.settings.baseUrl));
  app.use(rateLimit(limits));
  app.use(route(createRoutes()));
  app.use(body);
  app.use(signature(identities, limits, hub.clock));
  app.use(call(createDispatch(handlers, hub)));
  app.on('error', (error: NodeJS.ErrnoException) => {
    // A caller that leaves in the middle of a stream is no fault of anybody's.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') hub.log.error({ err: error }, 'stream');
  });
  return app;
}
