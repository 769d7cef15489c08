import type { HandlersOf } from '../../server/hub/handler.ts';
import { call } from './call.ts';
import { calls } from './calls.ts';
import { card } from './card.ts';
import { connection } from './connection.ts';
import { publish } from './publish.ts';

export const hosted = {
  'hosted.publish': publish,
  'hosted.call': call,
  'hosted.calls': calls,
  'hosted.connection': connection,
  'hosted.card': card,
} satisfies HandlersOf<'hosted'>;
