import type { Handlers } from '../workflows/kernel/handler.ts';
import { chains } from './chains/index.ts';
import { discovery } from './discovery/index.ts';
import { files } from './files/index.ts';
import { withOldCursors } from './oldCursor.ts';
import { hosted } from './hosted/index.ts';
import { log } from './log/index.ts';
import { worlds } from './worlds/index.ts';
import { memory } from './memory/index.ts';
import { models } from './models/index.ts';
import { passport } from './passport/index.ts';
import { games } from './games/index.ts';
import { poker } from './poker/index.ts';
import { predictions } from './predictions/index.ts';
import { registry } from './registry/index.ts';
import { router } from './router/index.ts';
import { services } from './services/index.ts';
import { tasks } from './tasks/index.ts';
import { time } from './time/index.ts';
import { validators } from './validators/index.ts';
import { wallet } from './wallet/index.ts';
import { webhooks } from './webhooks/index.ts';

/** Every operation of the contract; one that is missing does not compile. */
export const handlers: Handlers = withOldCursors({
  ...chains,
  ...discovery,
  ...files,
  ...games,
  ...hosted,
  ...log,
  ...worlds,
  ...memory,
  ...models,
  ...passport,
  ...poker,
  ...predictions,
  ...registry,
  ...router,
  ...services,
  ...tasks,
  ...time,
  ...validators,
  ...wallet,
  ...webhooks,
});
