import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { positions } from './positions.ts';

export const games = {
  'games.get': get,
  'games.list': list,
  'games.positions': positions,
} satisfies HandlersOf<'games'>;
