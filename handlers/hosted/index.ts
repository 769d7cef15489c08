import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { call } from './call.ts';
import { calls } from './calls.ts';
import { card } from './card.ts';
import { connection } from './connection.ts';
import { remove } from './delete.ts';
import { list } from './list.ts';
import { publish } from './publish.ts';

export const hosted = {
  'hosted.publish': publish,
  'hosted.list': list,
  'hosted.delete': remove,
  'hosted.call': call,
  'hosted.calls': calls,
  'hosted.connection': connection,
  'hosted.card': card,
} satisfies HandlersOf<'hosted'>;
