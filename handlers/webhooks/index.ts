import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { create } from './create.ts';
import { deliveries } from './deliveries.ts';
import { list } from './list.ts';
import { remove } from './delete.ts';
import { test } from './test.ts';
import { update } from './update.ts';

export const webhooks = {
  'webhooks.create': create,
  'webhooks.list': list,
  'webhooks.update': update,
  'webhooks.delete': remove,
  'webhooks.test': test,
  'webhooks.deliveries': deliveries,
} satisfies HandlersOf<'webhooks'>;
